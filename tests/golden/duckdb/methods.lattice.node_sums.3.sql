-- relation: node_sums
-- grain: one row per node of the lattice
-- inputs: node_classes, held?
-- outputs: node, kept, failing, spared
-- paper: Bayardo & Agrawal 2005, §3, discernibility
-- How many records the node keeps and how many lie in classes that fail, and what suppressing these
-- loses beyond what publishing them would. Where pairs of records that look alike are counted, all that is lost:
-- the square of a class, and for a suppressed record all records.
with classes as (
    select
        node_classes.node,
        node_classes.records,
        node_classes.loss,
        case when node_classes.records >= 10 then 1 else 0 end as holds
    from "sqlanon_lattice_classes" as node_classes
)

select
    classes.node,
    cast(sum(classes.records * classes.holds) as bigint) as kept,
    cast(sum(classes.records * (1 - classes.holds)) as bigint) as failing,
    cast(sum((classes.records * 1000000000 - classes.loss) * (1 - classes.holds)) as bigint) as spared
from classes
group by classes.node
