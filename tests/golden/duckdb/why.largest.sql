-- relation: largest
-- grain: one row per class
-- inputs: edges, classes
-- outputs: class_id, records, at_*, cell_*
-- paper: none
-- The largest classes, at the edge of which models they lie, and what is published of them.
select
    edges.class_id,
    edges.records,
    edges.at_1,
    edges.at_2,
    cast(classes."age" as varchar) as cell_1
from "sqlanon_edges" as edges
inner join "patients_public__classes" as classes
    on edges.class_id = classes.class_id
order by
    edges.records desc,
    edges.class_id asc
limit 5
