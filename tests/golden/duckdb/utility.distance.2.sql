-- relation: distance
-- grain: one row
-- inputs: source, released, source_q*, released_q*
-- outputs: variation, hellinger
-- paper: none
-- How far the distribution over bins, or over pairs of them, is from the source's: the total variation, and
-- the Hellinger distance. Where there are two columns, they are read independently within a record.
with source_masses as (
    select
        read_q10.bin as bin_q10,
        sum(profiles.records * read_q10.share) as mass
    from "sqlanon_source_profiles" as profiles
    inner join "sqlanon_read_q10_source" as read_q10
        on profiles.q10 = read_q10.cell
    group by read_q10.bin
),

released_cells as (
    select
        profiles.q10,
        sum(profiles.records) as records
    from "sqlanon_released_profiles" as profiles
    group by profiles.q10
),

released_masses as (
    select
        read_q10.bin as bin_q10,
        sum(released_cells.records * read_q10.share) as mass
    from released_cells
    inner join "sqlanon_read_q10_released" as read_q10
        on released_cells.q10 = read_q10.cell
    group by read_q10.bin
),

totals as (
    select
        (select sum(profiles.records) from "sqlanon_source_profiles" as profiles) as source_records,
        (select sum(profiles.records) from "sqlanon_released_profiles" as profiles) as released_records
),

shares as (
    select
        coalesce(source_masses.mass / totals.source_records, 0) as source_share,
        coalesce(released_masses.mass / totals.released_records, 0) as released_share
    from source_masses
    full join released_masses
        on
            source_masses.bin_q10 = released_masses.bin_q10
    cross join totals
)

select
    round(sum(abs(shares.source_share - shares.released_share)) / 2, 9) as variation,
    round(
        sum(
            (sqrt(shares.source_share) - sqrt(shares.released_share))
            * (sqrt(shares.source_share) - sqrt(shares.released_share))
        ) / 2,
        18
    ) as hellinger
from shares
