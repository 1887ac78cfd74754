with margins as (
    select
        remainder.region,
        combinations.s1_bin as bin,
        cast(sum(remainder.records) as bigint) as records
    from "sqlanon_carve_remainder" as remainder
    inner join "sqlanon_carve_combinations" as combinations
        on remainder.value = combinations.code
    group by remainder.region, combinations.s1_bin
),

regions as (
    select distinct margins.region
    from margins
),

-- Every bin, those that no record of the table has among them.
counted as (
    select
        regions.region,
        stretches.bin,
        stretches.frequency,
        stretches.below,
        stretches.span,
        coalesce(margins.records, 0) as records
    from regions
    cross join "sqlanon_carve_stretches_s1" as stretches
    left join margins
        on regions.region = margins.region and stretches.bin = margins.bin
),

cumulated as (
    select
        counted.region,
        counted.bin,
        counted.frequency,
        counted.below,
        counted.span,
        counted.records,
        cast(
            sum(counted.records) over (partition by counted.region order by counted.bin rows unbounded preceding)
            as bigint
        ) as reached,
        cast(sum(counted.records) over (partition by counted.region) as bigint) as open_records
    from counted
),

signs as (
    select
        cumulated.region,
        cumulated.bin,
        cumulated.frequency,
        cumulated.below,
        cumulated.span,
        cumulated.records,
        cumulated.reached,
        cumulated.open_records,
        cast(
            sign(cumulated.records * 240 - cumulated.frequency * cumulated.open_records) as bigint
        ) as excess
    from cumulated
)

select
    signs.region,
    signs.bin,
    signs.frequency,
    signs.below,
    signs.span,
    signs.records,
    signs.reached,
    signs.open_records,
    555556 * signs.excess as help
from signs
