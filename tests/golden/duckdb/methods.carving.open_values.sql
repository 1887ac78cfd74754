with margins as (
    select
        remainder.region,
        combinations.s1_place as place,
        cast(sum(remainder.records) as bigint) as records
    from "sqlanon_carve_remainder" as remainder
    inner join "sqlanon_carve_combinations" as combinations
        on remainder.value = combinations.code
    group by remainder.region, combinations.s1_place
),

regions as (
    select distinct margins.region
    from margins
),

-- Every place, those that no record of the table has among them.
counted as (
    select
        regions.region,
        stretches.place,
        stretches.frequency,
        stretches.below,
        stretches.span,
        coalesce(margins.records, 0) as records
    from regions
    cross join "sqlanon_carve_stretches_s1" as stretches
    left join margins
        on regions.region = margins.region and stretches.place = margins.place
),

cumulated as (
    select
        counted.region,
        counted.place,
        counted.frequency,
        counted.below,
        counted.span,
        counted.records,
        cast(
            sum(counted.records) over (partition by counted.region order by counted.place rows unbounded preceding)
            as bigint
        ) as reached,
        cast(sum(counted.records) over (partition by counted.region) as bigint) as open_records
    from counted
),

signs as (
    select
        cumulated.region,
        cumulated.place,
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
    signs.place,
    signs.frequency,
    signs.below,
    signs.span,
    signs.records,
    signs.reached,
    signs.open_records,
    555556 * signs.excess as help
from signs
