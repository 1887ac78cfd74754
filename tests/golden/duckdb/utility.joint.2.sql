-- relation: joint
-- grain: one row
-- inputs: tuples, alike, released_q*
-- outputs: divergence
-- paper: Kifer & Gehrke 2006, §3, the divergence of the joint distribution
-- The Kullback-Leibler divergence, in bits, of the source from the release over combinations of bins of all the
-- columns: cells are read uniformly, and independently of each other within a record. Unknown where the release
-- lacks a combination of the source. Only combinations of the source are looked at, as others count nothing.
with met as (
    select
        tuples.bin_q1,
        tuples.bin_q2,
        tuples.bin_q3,
        tuples.bin_q4,
        tuples.bin_q5,
        tuples.bin_q6,
        tuples.bin_q7,
        tuples.bin_q8,
        sum(alike.records * read_q1.share * read_q2.share * read_q3.share * read_q4.share * read_q5.share * read_q6.share * read_q7.share * read_q8.share) as mass
    from "sqlanon_joint_tuples" as tuples
    inner join "sqlanon_read_q1_released" as read_q1
        on tuples.bin_q1 = read_q1.bin
    inner join "sqlanon_joint_alike" as alike
        on read_q1.cell = alike.q1
    inner join "sqlanon_read_q2_released" as read_q2
        on alike.q2 = read_q2.cell and tuples.bin_q2 = read_q2.bin
    inner join "sqlanon_read_q3_released" as read_q3
        on alike.q3 = read_q3.cell and tuples.bin_q3 = read_q3.bin
    inner join "sqlanon_read_q4_released" as read_q4
        on alike.q4 = read_q4.cell and tuples.bin_q4 = read_q4.bin
    inner join "sqlanon_read_q5_released" as read_q5
        on alike.q5 = read_q5.cell and tuples.bin_q5 = read_q5.bin
    inner join "sqlanon_read_q6_released" as read_q6
        on alike.q6 = read_q6.cell and tuples.bin_q6 = read_q6.bin
    inner join "sqlanon_read_q7_released" as read_q7
        on alike.q7 = read_q7.cell and tuples.bin_q7 = read_q7.bin
    inner join "sqlanon_read_q8_released" as read_q8
        on alike.q8 = read_q8.cell and tuples.bin_q8 = read_q8.bin
    group by tuples.bin_q1, tuples.bin_q2, tuples.bin_q3, tuples.bin_q4, tuples.bin_q5, tuples.bin_q6, tuples.bin_q7, tuples.bin_q8
),

totals as (
    select
        (select sum(tuples.records) from "sqlanon_joint_tuples" as tuples) as source_records,
        (select sum(alike.records) from "sqlanon_joint_alike" as alike) as released_records
),

shares as (
    select
        tuples.records / totals.source_records as source_share,
        coalesce(met.mass / totals.released_records, 0) as released_share
    from "sqlanon_joint_tuples" as tuples
    left join met
        on
            tuples.bin_q1 = met.bin_q1
            and tuples.bin_q2 = met.bin_q2
            and tuples.bin_q3 = met.bin_q3
            and tuples.bin_q4 = met.bin_q4
            and tuples.bin_q5 = met.bin_q5
            and tuples.bin_q6 = met.bin_q6
            and tuples.bin_q7 = met.bin_q7
            and tuples.bin_q8 = met.bin_q8
    cross join totals
)

select
    case
        when min(shares.released_share) > 0
            then round(
                sum(
                    case
                        when shares.released_share > 0
                            then shares.source_share * (ln(shares.source_share) - ln(shares.released_share))
                        else 0e0
                    end
                ) / ln(2e0),
                9
            )
    end as divergence
from shares
