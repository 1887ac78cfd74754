select
    count(*) as total,
    cast(coalesce(sum(group_states.fails), 0) as bigint) as failing
from "sqlanon_merge_states" as group_states
