-- relation: remainder
-- grain: one row per region and sensitive value of the table
-- inputs: open_cells, positions
-- outputs: region, value, frequency, records
-- paper: sqlanon, Carve §4
-- What is still open of every value, those already used up among them.
with open_values as (
    select
        open_cells.region,
        open_cells.value,
        cast(sum(open_cells.records) as bigint) as records
    from "sqlanon_carve_open_0" as open_cells
    group by open_cells.region, open_cells.value
),

regions as (
    select distinct open_values.region
    from open_values
)

select
    regions.region,
    positions.code as value,
    positions.records as frequency,
    coalesce(open_values.records, 0) as records
from "sqlanon_carve_one_value" as positions
cross join regions
left join open_values
    on regions.region = open_values.region and positions.code = open_values.value
where positions.records > 0
