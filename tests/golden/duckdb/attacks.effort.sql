select coalesce(cast(sum(nodes.points) as bigint), 0) as pairs
from "sqlanon_external_nodes" as nodes
inner join "sqlanon_targets" as targets
    on nodes.q1_min <= targets.q1_high and nodes.q1_max >= targets.q1_low and nodes.q2_min <= targets.q2_high and nodes.q2_max >= targets.q2_low
where not (nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1)
