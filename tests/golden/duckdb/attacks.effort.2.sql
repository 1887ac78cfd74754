-- relation: effort
-- grain: one row
-- inputs: nodes, targets
-- outputs: pairs
-- paper: none
-- How many persons' points have to be compared with published cells one by one: those of the grid's cells
-- that lie partly inside them.
select coalesce(cast(sum(nodes.points) as bigint), 0) as pairs
from "sqlanon_external_nodes" as nodes
inner join "sqlanon_targets" as targets
    on nodes.q1_min <= targets.q1_high and nodes.q1_max >= targets.q1_low and nodes.q2_min <= targets.q2_high and nodes.q2_max >= targets.q2_low and nodes.q3_min <= targets.q3_high and nodes.q3_max >= targets.q3_low and nodes.q4_min <= targets.q4_high and nodes.q4_max >= targets.q4_low and nodes.q5_min <= targets.q5_high and nodes.q5_max >= targets.q5_low and nodes.q6_min <= targets.q6_high and nodes.q6_max >= targets.q6_low and nodes.q7_min <= targets.q7_high and nodes.q7_max >= targets.q7_low
where not (nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1 and nodes.q3_min >= targets.q3_low and nodes.q3_max <= targets.q3_high and targets.q3_whole = 1 and nodes.q4_min >= targets.q4_low and nodes.q4_max <= targets.q4_high and targets.q4_whole = 1 and nodes.q5_min >= targets.q5_low and nodes.q5_max <= targets.q5_high and targets.q5_whole = 1 and nodes.q6_min >= targets.q6_low and nodes.q6_max <= targets.q6_high and targets.q6_whole = 1 and nodes.q7_min >= targets.q7_low and nodes.q7_max <= targets.q7_high and targets.q7_whole = 1)
