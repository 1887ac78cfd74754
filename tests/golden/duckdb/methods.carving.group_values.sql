with counted as (
    select
        band_cells.region,
        band_cells.group_id,
        band_cells.value,
        combinations.records as frequency,
        cast(sum(band_cells.records) as bigint) as held
    from "sqlanon_carve_band" as band_cells
    inner join "sqlanon_carve_combinations" as combinations
        on band_cells.value = combinations.code
    group by band_cells.region, band_cells.group_id, band_cells.value, combinations.records
),

prefixes as (
    select
        counted.region,
        counted.group_id,
        counted.value,
        counted.frequency,
        counted.held,
        cast(
            sum(counted.held) over (
                partition by counted.group_id
                order by cast(counted.held as double) / counted.frequency, counted.value
                rows unbounded preceding
            ) as bigint
        ) as reached,
        cast(
            sum(counted.frequency) over (
                partition by counted.group_id
                order by cast(counted.held as double) / counted.frequency, counted.value
                rows unbounded preceding
            ) as bigint
        ) as shared
    from counted
),

-- Cells have gone to earlier nodes of the band: not every group can still give a class.
able as (
    select
        counted.group_id,
        cast(sum(counted.held) as bigint) as size,
        240 - cast(sum(counted.frequency) as bigint) as absent
    from counted
    group by counted.group_id
    having
        sum(counted.held) >= 20
        and sum(
            case
                when counted.held * 240 < counted.frequency * 20
                    then counted.held * 240
                else counted.frequency * 20
            end
        ) * 1 >= 0
),

bounds as (
    select
        prefixes.group_id,
        able.size,
        cast(
            floor(
                cast(prefixes.reached as double) * 240 * 1
                / (
                    cast(able.absent + prefixes.shared as double) * 1
                    - 240
                ) + 0.000000001
            ) as bigint
        ) as bound
    from prefixes
    inner join able
        on prefixes.group_id = able.group_id
    where (able.absent + prefixes.shared) * 1 > 240
),

bounded as (
    select
        able.group_id,
        case
            when min(bounds.bound) < able.size then min(bounds.bound)
            else able.size
        end as most
    from able
    left join bounds
        on able.group_id = bounds.group_id
    group by able.group_id, able.size
)

select
    prefixes.region,
    prefixes.group_id,
    prefixes.value,
    prefixes.frequency,
    prefixes.held,
    bounded.most
from prefixes
inner join bounded
    on prefixes.group_id = bounded.group_id
where bounded.most >= 20
