with centres as (
    select
        assigned.class_id,
        cast(sum(assigned.q1) as double) / count(*) as centre_q1
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

ranked as (
    select
        centres.class_id,
        cast(
            floor(
                cast(rank() over (order by centres.centre_q1) - 1 as double)
                * 32 / count(*) over ()
            ) as bigint
        ) as rank_q1
    from centres
),

placed as (
    select
        ranked.class_id,
        cast(floor(cast(ranked.rank_q1 as double) / 16) as bigint) % 2 as bit_1_16,
        cast(floor(cast(ranked.rank_q1 as double) / 8) as bigint) % 2 as bit_1_8,
        cast(floor(cast(ranked.rank_q1 as double) / 4) as bigint) % 2 as bit_1_4,
        cast(floor(cast(ranked.rank_q1 as double) / 2) as bigint) % 2 as bit_1_2,
        cast(floor(cast(ranked.rank_q1 as double) / 1) as bigint) % 2 as bit_1_1
    from ranked
)

select
    placed.class_id,
    row_number() over (
        order by
            placed.bit_1_16,
            placed.bit_1_8,
            placed.bit_1_4,
            placed.bit_1_2,
            placed.bit_1_1,
            placed.class_id
    ) as number
from placed
