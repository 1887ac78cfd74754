-- relation: everybody
-- grain: one row per person or record
-- inputs: external, original
-- outputs: q*
-- paper: none
-- Persons and records in one relation, so that their values have the same codes.
select
    external_table.q1,
    external_table.q2,
    external_table.q3
from "sqlanon_external" as external_table
union all
select
    original_table.q1,
    original_table.q2,
    original_table.q3
from "sqlanon_original" as original_table
