-- relation: edge_counts
-- grain: one row per demand, one for none, and one for all
-- inputs: edges
-- outputs: edge, classes, records
-- paper: none
-- How many classes lie at each edge, from 1, and how many records in them; 0 for
-- the classes at none, and the last row for all classes.
select
    0 as edge,
    count(*) as classes,
    cast(coalesce(sum(edges.records), 0) as bigint) as records
from "sqlanon_edges" as edges
where edges.edges = 0
union all
select
    1 as edge,
    count(*) as classes,
    cast(coalesce(sum(edges.records), 0) as bigint) as records
from "sqlanon_edges" as edges
where edges.at_1 = 1
union all
select
    2 as edge,
    count(*) as classes,
    cast(coalesce(sum(edges.records), 0) as bigint) as records
from "sqlanon_edges" as edges
where edges.at_2 = 1
union all
select
    3 as edge,
    count(*) as classes,
    cast(coalesce(sum(edges.records), 0) as bigint) as records
from "sqlanon_edges" as edges
order by edge
