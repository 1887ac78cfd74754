-- relation: positions
-- grain: one row per value of a sensitive attribute
-- inputs: positions, units
-- outputs: code, value, records, position, node_*
-- paper: none
-- The attribute's values with their frequencies among the records that stand for the persons: what a
-- method aims at. What a release reaches is measured on all of the persons' values.
with counted as (
    select
        units.s1 as code,
        count(*) as records
    from "sqlanon_fresh_units" as units
    group by units.s1
)

select
    positions.code,
    positions.value,
    coalesce(counted.records, 0) as records,
    positions.position
from "sqlanon_positions_s1" as positions
left join counted
    on positions.code = counted.code
