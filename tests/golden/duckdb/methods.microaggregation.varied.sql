-- relation: lots
-- grain: one row per cell and bin and block and group that holds records of it
-- inputs: lots, places
-- outputs: block, bin, cell_id, records, number
-- paper: Solanas & Martinez-Balleste 2006, V-MDAV; candidates in the order of their first distances: sqlanon

-- A group of every block: around the record left that is farthest from the middle of the block, 20 of the
-- nearest, or all where fewer than 40 are left. Then up to 19 more join, the nearest to the group first,
-- as far as each is nearer to it than gamma = 11 / 10 times its distance to the nearest other that is left.
-- A record whose like is left does not join, and 20 or none stay behind.
with located as (
    select
        lots.block,
        lots.cell_id,
        lots.records,
        lots.number,
        places.x1,
        places.x2
    from "sqlanon_micro_lots" as lots
    inner join "sqlanon_uhra_places" as places
        on lots.cell_id = places.cell_id
),

middles as (
    select
        located.block,
        cast(
            floor(cast(sum(located.records * located.x1) as double) / cast(sum(located.records) as double) + 0.5e0) as bigint
        ) as x1,
        cast(
            floor(cast(sum(located.records * located.x2) as double) / cast(sum(located.records) as double) + 0.5e0) as bigint
        ) as x2
    from located
    group by located.block
),

far as (
    select
        located.block,
        located.x1,
        located.x2,
        row_number() over (
            partition by located.block
            order by
                (located.x1 - middles.x1) * (located.x1 - middles.x1)
                + (located.x2 - middles.x2) * (located.x2 - middles.x2)
                desc,
                located.cell_id desc
        ) as rank
    from located
    inner join middles
        on located.block = middles.block
    where located.number is null
),

apart as (
    select
        located.block,
        located.cell_id,
        located.records,
        located.x1,
        located.x2,
        (located.x1 - far.x1) * (located.x1 - far.x1)
        + (located.x2 - far.x2) * (located.x2 - far.x2)
            as apart
    from located
    inner join far
        on located.block = far.block and far.rank = 1
    where located.number is null
),

near as (
    select
        apart.block,
        apart.cell_id,
        apart.records,
        apart.x1,
        apart.x2,
        cast(sum(apart.records) over (partition by apart.block) as bigint) as block_records,
        sum(apart.records) over (
            partition by apart.block order by apart.apart, apart.cell_id rows unbounded preceding
        ) - apart.records as earlier
    from apart
),

formed as (
    select
        near.block,
        near.cell_id,
        near.records,
        near.x1,
        near.x2,
        near.block_records,
        cast(
            greatest(
                0,
                least(
                    near.records,
                    case when near.block_records < 40 then near.block_records else 20 end - near.earlier
                )
            ) as bigint
        ) as taken
    from near
),

reached as (
    select
        spare.block,
        spare.cell_id,
        spare.records - spare.taken as records,
        spare.block_records - 20 as left_records,
        spare.x1,
        spare.x2,
        min(
            (spare.x1 - members.x1) * (spare.x1 - members.x1)
            + (spare.x2 - members.x2) * (spare.x2 - members.x2)
        ) as apart
    from formed as spare
    inner join formed as members
        on spare.block = members.block
    where spare.records > spare.taken and members.taken > 0
    group by
        spare.block,
        spare.cell_id,
        spare.records - spare.taken,
        spare.block_records - 20,
        spare.x1,
        spare.x2
),

ranked as (
    select
        reached.block,
        reached.cell_id,
        reached.records,
        reached.left_records,
        reached.x1,
        reached.x2,
        reached.apart,
        row_number() over (partition by reached.block order by reached.apart, reached.cell_id) as rank
    from reached
),

pairs as (
    select
        candidates.block,
        candidates.cell_id,
        candidates.rank,
        candidates.apart,
        others.rank as other_rank,
        (candidates.x1 - others.x1) * (candidates.x1 - others.x1)
        + (candidates.x2 - others.x2) * (candidates.x2 - others.x2)
            as other_apart
    from ranked as candidates
    inner join ranked as others
        on candidates.block = others.block and candidates.rank <> others.rank
    where
        candidates.rank < 20
        and candidates.rank <= candidates.left_records - 20
        and candidates.records = 1
),

weighed as (
    select
        pairs.block,
        pairs.cell_id,
        pairs.rank,
        min(case when pairs.other_rank < pairs.rank and pairs.other_apart < pairs.apart then pairs.other_apart else pairs.apart end) as inward,
        min(case when pairs.other_rank > pairs.rank then pairs.other_apart end) as outward
    from pairs
    group by pairs.block, pairs.cell_id, pairs.rank
),

near_enough as (
    select
        weighed.block,
        weighed.cell_id,
        weighed.rank,
        row_number() over (partition by weighed.block order by weighed.rank) as place
    from weighed
    where
        cast(weighed.inward as decimal(38, 0)) * 100
        < cast(weighed.outward as decimal(38, 0)) * 121
),

taken as (
    select
        formed.block,
        formed.cell_id,
        formed.records,
        formed.taken + case when joining.place is null then 0 else 1 end as taken
    from formed
    left join near_enough as joining
        on formed.block = joining.block and formed.cell_id = joining.cell_id and joining.rank = joining.place
),

together as (
    select
        lots.block,
        lots.cell_id,
        lots.records,
        lots.number
    from "sqlanon_micro_lots" as lots
    where lots.number is not null
    union all
    select
        taken.block,
        taken.cell_id,
        taken.taken as records,
        cast(0 as bigint) as number
    from taken
    where taken.taken > 0
    union all
    select
        taken.block,
        taken.cell_id,
        taken.records - taken.taken as records,
        cast(null as bigint) as number
    from taken
    where taken.records > taken.taken
)

select
    together.block,
    0 as bin,
    together.cell_id,
    cast(together.records as bigint) as records,
    together.number
from together
