-- relation: large_classes
-- grain: one row per node of the lattice and class
-- inputs: node_classes
-- outputs: class_id, records
-- paper: none
-- The classes that have as many records as a class needs at least, of the nodes that are left to be
-- measured.
select
    node_classes.class_id,
    node_classes.records
from "sqlanon_lattice_classes" as node_classes
where
    node_classes.records >= 5
    and node_classes.node in (5, 6, 7, 9, 10, 11, 17, 18, 19, 21, 22, 23)
