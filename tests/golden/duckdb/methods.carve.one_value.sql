-- relation: one_value
-- grain: one row
-- inputs: none
-- outputs: code, records
-- paper: none
-- A sensitive attribute with one value, for carving by k alone.
select
    cast(0 as bigint) as code,
    cast(240 as bigint) as records
