-- relation: lots
-- grain: one row per cell and bin and block and group that holds records of it
-- inputs: lots, places
-- outputs: block, bin, cell_id, records, number
-- paper: Domingo-Ferrer & Torra 2005, MDAV-generic
-- A round of every block: around the record that is farthest from the middle of what is left, and around
-- the record that is farthest from that one, a group of the nearest, 20 of them, or all where fewer than
-- 40 are left. Of equally far records the last is the farthest.
with left_lots as (
    select
        lots.block,
        lots.bin,
        lots.cell_id,
        lots.records,
        places.x1,
        places.x2,
        places.x3
    from "sqlanon_micro_lots" as lots
    inner join "sqlanon_uhra_places" as places
        on lots.cell_id = places.cell_id
    where lots.number is null
),

middles as (
    select
        left_lots.block,
        cast(
            floor(cast(sum(left_lots.records * left_lots.x1) as double) / cast(sum(left_lots.records) as double) + 0.5e0) as bigint
        ) as x1,
        cast(
            floor(cast(sum(left_lots.records * left_lots.x2) as double) / cast(sum(left_lots.records) as double) + 0.5e0) as bigint
        ) as x2,
        cast(
            floor(cast(sum(left_lots.records * left_lots.x3) as double) / cast(sum(left_lots.records) as double) + 0.5e0) as bigint
        ) as x3
    from left_lots
    group by left_lots.block
),

far_1 as (
    select
        left_lots.block,
        left_lots.cell_id,
        row_number() over (
            partition by left_lots.block
            order by
                (left_lots.x1 - middles.x1) * (left_lots.x1 - middles.x1)
                + (left_lots.x2 - middles.x2) * (left_lots.x2 - middles.x2)
                + (left_lots.x3 - middles.x3) * (left_lots.x3 - middles.x3)
                desc,
                left_lots.cell_id desc,
                left_lots.bin desc
        ) as rank
    from left_lots
    inner join middles
        on left_lots.block = middles.block
),

apart_1 as (
    select
        lots.block,
        lots.bin,
        lots.cell_id,
        lots.records,
        (lots.x1 - seeds.x1) * (lots.x1 - seeds.x1)
        + (lots.x2 - seeds.x2) * (lots.x2 - seeds.x2)
        + (lots.x3 - seeds.x3) * (lots.x3 - seeds.x3)
            as apart
    from left_lots as lots
    inner join far_1 as far
        on lots.block = far.block and far.rank = 1
    inner join "sqlanon_uhra_places" as seeds
        on far.cell_id = seeds.cell_id
),

near_1 as (
    select
        apart.block,
        apart.bin,
        apart.cell_id,
        apart.records,
        apart.apart,
        sum(apart.records) over (
            partition by apart.block, apart.bin order by apart.apart, apart.cell_id rows unbounded preceding
        ) - apart.records as earlier,
        sum(apart.records) over (partition by apart.block, apart.bin) as bin_records
    from apart_1 as apart
),

taken_1 as (
    select
        near.block,
        near.bin,
        near.cell_id,
        near.records,
        near.apart,
        cast(
            greatest(
                0,
                least(
                    near.records,
                    case when near.bin_records < 40 then near.bin_records else 20 end
                    - near.earlier
                )
            ) as bigint
        ) as taken
    from near_1 as near
),

far_2 as (
    select
        taken.block,
        taken.cell_id,
        row_number() over (
            partition by taken.block order by taken.apart desc, taken.cell_id desc, taken.bin desc
        ) as rank
    from taken_1 as taken
    where taken.records > taken.taken
),

apart_2 as (
    select
        lots.block,
        lots.bin,
        lots.cell_id,
        lots.records - lots.taken as records,
        (places.x1 - seeds.x1) * (places.x1 - seeds.x1)
        + (places.x2 - seeds.x2) * (places.x2 - seeds.x2)
        + (places.x3 - seeds.x3) * (places.x3 - seeds.x3)
            as apart
    from taken_1 as lots
    inner join "sqlanon_uhra_places" as places
        on lots.cell_id = places.cell_id
    inner join far_2 as far
        on lots.block = far.block and far.rank = 1
    inner join "sqlanon_uhra_places" as seeds
        on far.cell_id = seeds.cell_id
    where lots.records > lots.taken
),

near_2 as (
    select
        apart.block,
        apart.bin,
        apart.cell_id,
        apart.records,
        apart.apart,
        sum(apart.records) over (
            partition by apart.block, apart.bin order by apart.apart, apart.cell_id rows unbounded preceding
        ) - apart.records as earlier,
        sum(apart.records) over (partition by apart.block, apart.bin) as bin_records
    from apart_2 as apart
),

taken_2 as (
    select
        near.block,
        near.bin,
        near.cell_id,
        near.records,
        near.apart,
        cast(
            greatest(
                0,
                least(
                    near.records,
                    case when near.bin_records < 40 then near.bin_records else 20 end
                    - near.earlier
                )
            ) as bigint
        ) as taken
    from near_2 as near
),

together as (
    select
        lots.block,
        lots.bin,
        lots.cell_id,
        lots.records,
        lots.number
    from "sqlanon_micro_lots" as lots
    where lots.number is not null
    union all
    select
        taken.block,
        taken.bin,
        taken.cell_id,
        taken.taken as records,
        cast(0 as bigint) as number
    from taken_1 as taken
    where taken.taken > 0
    union all
    select
        taken.block,
        taken.bin,
        taken.cell_id,
        taken.taken as records,
        cast(1 as bigint) as number
    from taken_2 as taken
    where taken.taken > 0
    union all
    select
        taken.block,
        taken.bin,
        taken.cell_id,
        taken.records - taken.taken as records,
        cast(null as bigint) as number
    from taken_2 as taken
    where taken.records > taken.taken
)

select
    together.block,
    together.bin,
    together.cell_id,
    cast(together.records as bigint) as records,
    together.number
from together
