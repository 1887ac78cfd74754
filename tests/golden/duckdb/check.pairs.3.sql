-- relation: pairs
-- grain: one row per open demand of a class and cell of the grid that may hold records for it
-- inputs: open, frontier, nodes, boxes
-- outputs: class_id, tuple_id, node, records, inside
-- paper: none
-- The cells below those that lie partly inside the class; inside is 1 where all of a cell does.
select
    frontier.class_id,
    frontier.tuple_id,
    nodes.node,
    nodes.records,
    case
        when
            boxes.q1_low <= nodes.q1_min and nodes.q1_max <= boxes.q1_high and boxes.q1_whole = 1
            and boxes.q2_low <= nodes.q2_min and nodes.q2_max <= boxes.q2_high and boxes.q2_whole = 1
            then 1
        else 0
    end as inside
from "sqlanon_open_1" as demanded
inner join "sqlanon_pairs_1" as frontier
    on demanded.class_id = frontier.class_id and demanded.tuple_id = frontier.tuple_id
inner join "sqlanon_boxes" as boxes
    on frontier.class_id = boxes.class_id
inner join "sqlanon_nodes_2" as nodes
    on frontier.tuple_id = nodes.tuple_id and frontier.node = nodes.parent
where
    frontier.inside = 0
    and demanded.reachable >= demanded.needed
    and nodes.q1_min <= boxes.q1_high and boxes.q1_low <= nodes.q1_max
    and nodes.q2_min <= boxes.q2_high and boxes.q2_low <= nodes.q2_max
