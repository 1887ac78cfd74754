-- relation: nodes
-- grain: one row per cell of the grid and tuple of sensitive and insensitive values in it
-- inputs: points
-- outputs: tuple_id, parent, node, records, q*_min|q*_max
-- paper: none
-- How many records of the source lie there, and between which codes.
select
    points.tuple_id,
    points.node_0 as parent,
    points.node_1 as node,
    cast(sum(points.records) as bigint) as records,
    min(points.q1) as q1_min,
    max(points.q1) as q1_max,
    min(points.q2) as q2_min,
    max(points.q2) as q2_max,
    min(points.q3) as q3_min,
    max(points.q3) as q3_max,
    min(points.q4) as q4_min,
    max(points.q4) as q4_max,
    min(points.q5) as q5_min,
    max(points.q5) as q5_max,
    min(points.q6) as q6_min,
    max(points.q6) as q6_max
from "sqlanon_source_points" as points
group by points.tuple_id, points.node_0, points.node_1
