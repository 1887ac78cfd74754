-- relation: suppressed
-- grain: one row per class as formed, and per cluster that is stuck
-- inputs: suppressed, group_states
-- outputs: class_id, records, failed
-- paper: none
-- What was left out before, and the clusters that show what another one does; these have numbers below 0.
select
    suppressed.class_id,
    suppressed.records,
    suppressed.failed
from "sqlanon_outcome" as suppressed
union all
select
    -group_states.number as class_id,
    group_states.records,
    4 as failed
from "sqlanon_apart_states" as group_states
where group_states.stuck = 1
