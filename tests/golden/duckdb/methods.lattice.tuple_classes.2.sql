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
        min(chosen_cells.q1_low) as q1_low,
        max(chosen_cells.q1_high) as q1_high,
        chosen_cells.q2,
        min(chosen_cells.q2_low) as q2_low,
        max(chosen_cells.q2_high) as q2_high,
        cast(sum(chosen_cells.records) as bigint) as records
    from "sqlanon_top_down_chosen" as chosen_cells
    group by
        chosen_cells.class_id,
        chosen_cells.q1,
        chosen_cells.q2
)

select
    tuples.class_id,
    tuples.q1,
    tuples.q1_low,
    tuples.q1_high,
    tuples.q2,
    tuples.q2_low,
    tuples.q2_high,
    tuples.records,
    cast(null as integer) as failed
from tuples
