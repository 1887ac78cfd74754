select
    held.class_id as number,
    0 as cluster,
    1 - min(held.holds) as fails
from "sqlanon_merge_held" as held
group by held.class_id
