-- relation: unmet
-- grain: one row per demand of a class that the sample does not meet
-- inputs: demands, matched
-- outputs: class_id, tuple_id, needed, reachable, node, inside
-- paper: none
-- As the demands; what the sample has inside a class is sought again with the rest.
select
    demands.class_id,
    demands.tuple_id,
    demands.needed,
    demands.reachable,
    demands.node,
    demands.inside
from "sqlanon_demands" as demands
inner join "sqlanon_demands_sampled" as matched
    on demands.class_id = matched.class_id and demands.tuple_id = matched.tuple_id
where matched.reachable < matched.needed
