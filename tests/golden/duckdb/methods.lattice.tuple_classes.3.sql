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
        chosen_cells.q3,
        cast(sum(chosen_cells.records) as bigint) as records
    from "sqlanon_lattice_chosen" as chosen_cells
    group by
        chosen_cells.class_id,
        chosen_cells.q1,
        chosen_cells.q2,
        chosen_cells.q3
),

failures as (
    select
        held.class_id,
        min(held.model) as failed
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
)

select
    tuples.class_id,
    tuples.q1,
    tuples.q2,
    tuples.q3,
    tuples.records,
    cast(failures.failed as integer) as failed
from tuples
left join failures
    on tuples.class_id = failures.class_id
