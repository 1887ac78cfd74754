-- relation: group_values
-- grain: one row per group able to give a class and sensitive value in it
-- inputs: band_cells, combinations
-- outputs: region, group_id, value, frequency, held, most
-- paper: sqlanon, Carve §4
-- How many records the class of a group can have at most. A class of s records needs s * (share of V
-- - t) records of V, for every set V of values: the sets that bind take the scarcest values first.
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
        sum(counted.held) >= 10
        and sum(
            case
                when counted.held * 240 < counted.frequency * 10
                    then counted.held * 240
                else counted.frequency * 10
            end
        ) * 10 >= 2400
        and count(*) >= 2
        and sum(
            case
                when counted.held * 5 < 40
                    then counted.held * 5
                else 40
            end
        ) >= 50
),

-- With alpha: s records of which none of the j most frequent values has more than alpha * s need
-- (1 - j * alpha) * s records of the others.
most_frequent as (
    select
        counted.group_id,
        row_number() over (partition by counted.group_id order by counted.held desc, counted.value asc) as place,
        cast(
            sum(counted.held) over (
                partition by counted.group_id
                order by counted.held desc, counted.value asc
                rows unbounded preceding
            ) as bigint
        ) as reached
    from counted
),

bounds as (
    select
        prefixes.group_id,
        able.size,
        cast(
            floor(
                cast(prefixes.reached as double) * 240 * 10
                / (
                    cast(able.absent + prefixes.shared as double) * 10
                    - 2160
                ) + 0.000000001
            ) as bigint
        ) as bound
    from prefixes
    inner join able
        on prefixes.group_id = able.group_id
    where (able.absent + prefixes.shared) * 10 > 2160
    union all
    select
        most_frequent.group_id,
        able.size,
        cast(
            floor(
                cast(able.size - most_frequent.reached as double) * 5
                / (5 - most_frequent.place * 4) + 0.000000001
            ) as bigint
        ) as bound
    from most_frequent
    inner join able
        on most_frequent.group_id = able.group_id
    where most_frequent.place * 4 < 5
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
where bounded.most >= 10
