select
    stacked.position % sizes.classes as class_id,
    stacked.q1,
    stacked.q2
from "sqlanon_stacked" as stacked
cross join "sqlanon_sizes" as sizes
