-- relation: presence
-- grain: one row per equivalence class
-- inputs: covered
-- outputs: class_id, value, amount, scale
-- paper: Nergiz, Atzori and Clifton 2007, delta-presence
-- Of those of the population whom the published tuple covers, the share who are in the release.
select
    covered.class_id,
    cast(covered.records as double) / nullif(covered.covered, 0) as value,
    cast(covered.records as decimal(38, 0)) as amount,
    cast(covered.covered as decimal(38, 0)) as scale
from "sqlanon_lattice_chosen_sizes" as covered
