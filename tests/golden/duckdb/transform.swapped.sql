-- relation: swapped
-- grain: one row per record of the source
-- inputs: read
-- outputs: k*|w*, value
-- paper: Moore 1996 (rank swapping); here within blocks of ranks
-- What each record has once the records of a block of neighbouring ranks have traded their values in pairs.
-- Equal values are ranked, and pairs drawn, by the two halves of what is drawn of a record, then by what
-- names it. Who is left over in a block, and who has NULL, keeps what it has.
with counted as (
    select
        read.x3 as value,
        count(*) as records
    from "sqlanon_drawn" as read
    where read.x3 is not null
    group by read.x3
),

placed as (
    select
        counted.value,
        cast(
            sum(counted.records) over (order by counted.value rows unbounded preceding)
            - counted.records as bigint
        ) as below,
        cast(sum(counted.records) over () as bigint) as known
    from counted
),

ranked as (
    select
        read.k1,
        read.x3 as value,
        read.d3 % 16777216 as chance,
        placed.known * 1 as most,
        placed.below + row_number() over (
            partition by read.x3
            order by
                read.d3 - read.d3 % 16777216 asc,
                read.k1 asc
        ) - 1 as place
    from "sqlanon_drawn" as read
    inner join placed
        on read.x3 = placed.value
),

sized as (
    select
        ranked.k1,
        ranked.value,
        ranked.chance,
        ranked.place,
        cast((ranked.most - ranked.most % 20) / 20 as bigint) + 1 as size
    from ranked
),

blocks as (
    select
        sized.k1,
        sized.value,
        sized.chance,
        sized.place - sized.place % sized.size as block
    from sized
),

paired as (
    select
        blocks.k1,
        blocks.value,
        row_number() over (
            partition by blocks.block
            order by
                blocks.chance asc,
                blocks.k1 asc
        ) as turn,
        lead(blocks.value) over (
            partition by blocks.block
            order by
                blocks.chance asc,
                blocks.k1 asc
        ) as next_value,
        lag(blocks.value) over (
            partition by blocks.block
            order by
                blocks.chance asc,
                blocks.k1 asc
        ) as last_value
    from blocks
)

select
    paired.k1,
    case when paired.turn % 2 = 1 then coalesce(paired.next_value, paired.value) else paired.last_value end as value
from paired
