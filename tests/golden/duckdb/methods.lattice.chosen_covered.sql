-- relation: chosen_covered
-- grain: one row per class as formed
-- inputs: chosen_cells
-- outputs: class_id, records, covered
-- paper: Sweeney 2002, k-map
-- How many records of the source and how many persons of the population each class has; what the
-- population alone has is no class.
select
    chosen_cells.class_id,
    cast(sum(chosen_cells.records) as bigint) as records,
    cast(sum(chosen_cells.people) as bigint) as covered
from "sqlanon_lattice_chosen" as chosen_cells
group by chosen_cells.class_id
having sum(chosen_cells.records) > 0
