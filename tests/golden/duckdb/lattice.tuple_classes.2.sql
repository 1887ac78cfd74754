-- relation: tuple_classes
-- grain: one row per combination of quasi-identifiers in the data
-- inputs: chosen_cells, held?, subset_held?
-- outputs: class_id, q*, records, failed
-- paper: none
-- The class of every tuple, and the first model that it fails, by its place among those that are asked
-- for: NULL where the class is kept.
with tuples as (
    select
        chosen_cells.class_id,
        chosen_cells.q1,
        chosen_cells.q2,
        cast(sum(chosen_cells.records) as bigint) as records
    from "sqlanon_lattice_chosen" as chosen_cells
    group by
        chosen_cells.class_id,
        chosen_cells.q1,
        chosen_cells.q2
)

select
    tuples.class_id,
    tuples.q1,
    tuples.q2,
    tuples.records,
    cast(null as integer) as failed
from tuples
