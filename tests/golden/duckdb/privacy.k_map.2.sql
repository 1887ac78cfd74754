-- relation: k_map
-- grain: one row per equivalence class
-- inputs: covered
-- outputs: class_id, value, amount, scale
-- paper: Sweeney 2002, k-map
-- How many rows of the population the published tuple covers.
select
    covered.class_id,
    covered.covered as value,
    cast(covered.covered as decimal(38, 0)) as amount,
    1 as scale
from "sqlanon_lattice_chosen_sizes" as covered
