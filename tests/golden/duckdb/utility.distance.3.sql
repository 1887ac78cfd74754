-- relation: distance
-- grain: one row
-- inputs: source, released, source_q*, released_q*
-- outputs: variation, hellinger, divergence, frequent, missed, released_frequent, artifactual
-- paper: Kifer & Gehrke 2006 (divergence); Oliveira & Zaïane 2002 (misses cost, artifactual patterns)
-- How far the distribution over bins, or over pairs of them, is from the source's: the total variation, the
-- Hellinger distance, and the Kullback-Leibler divergence in bits, unknown where a bin of the source is not
-- there. How many of them are frequent in the source and of these not in the release, and the other way
-- round. Where there are two columns, they are read independently within a record.
with source_masses as (
    select
        read_q1.bin as bin_q1,
        read_q2.bin as bin_q2,
        sum(profiles.records * read_q1.share * read_q2.share) as mass
    from "sqlanon_source_profiles" as profiles
    inner join "sqlanon_read_q1_source" as read_q1
        on profiles.q1 = read_q1.cell
    inner join "sqlanon_read_q2_source" as read_q2
        on profiles.q2 = read_q2.cell
    group by read_q1.bin, read_q2.bin
),

released_cells as (
    select
        profiles.q1,
        profiles.q2,
        sum(profiles.records) as records
    from "sqlanon_released_profiles" as profiles
    group by profiles.q1, profiles.q2
),

released_masses as (
    select
        read_q1.bin as bin_q1,
        read_q2.bin as bin_q2,
        sum(released_cells.records * read_q1.share * read_q2.share) as mass
    from released_cells
    inner join "sqlanon_read_q1_released" as read_q1
        on released_cells.q1 = read_q1.cell
    inner join "sqlanon_read_q2_released" as read_q2
        on released_cells.q2 = read_q2.cell
    group by read_q1.bin, read_q2.bin
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
            source_masses.bin_q1 = released_masses.bin_q1
            and source_masses.bin_q2 = released_masses.bin_q2
    cross join totals
),

patterns as (
    select
        shares.source_share,
        shares.released_share,
        case when round(100 * shares.source_share, 9) >= 1 then 1 else 0 end as frequent,
        case when round(100 * shares.released_share, 9) >= 1 then 1 else 0 end as released_frequent
    from shares
)

select
    round(sum(abs(patterns.source_share - patterns.released_share)) / 2, 9) as variation,
    round(
        sum(
            (sqrt(patterns.source_share) - sqrt(patterns.released_share))
            * (sqrt(patterns.source_share) - sqrt(patterns.released_share))
        ) / 2,
        18
    ) as hellinger,
    case
        when min(case when patterns.source_share > 0 then patterns.released_share end) > 0
            then round(
                sum(
                    case
                        when patterns.source_share > 0 and patterns.released_share > 0
                            then
                                patterns.source_share
                                * (ln(patterns.source_share) - ln(patterns.released_share))
                        else 0e0
                    end
                ) / ln(2e0),
                9
            )
    end as divergence,
    cast(sum(patterns.frequent) as bigint) as frequent,
    cast(sum(patterns.frequent * (1 - patterns.released_frequent)) as bigint) as missed,
    cast(sum(patterns.released_frequent) as bigint) as released_frequent,
    cast(sum(patterns.released_frequent * (1 - patterns.frequent)) as bigint) as artifactual
from patterns
