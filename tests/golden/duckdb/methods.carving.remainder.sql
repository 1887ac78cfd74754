with open_values as (
    select
        open_cells.region,
        open_cells.value,
        cast(sum(open_cells.records) as bigint) as records
    from "sqlanon_carve_first" as open_cells
    group by open_cells.region, open_cells.value
),

regions as (
    select distinct open_values.region
    from open_values
)

select
    regions.region,
    combinations.code as value,
    combinations.records as frequency,
    coalesce(open_values.records, 0) as records
from "sqlanon_carve_combinations" as combinations
cross join regions
left join open_values
    on regions.region = open_values.region and combinations.code = open_values.value
where combinations.records > 0
