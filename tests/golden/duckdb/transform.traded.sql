-- relation: traded
-- grain: one row per record of the source
-- inputs: read
-- outputs: k*, s*|x*
-- paper: Dalenius & Reiss 1982 (data-swapping); the pairs here are drawn evenly among records that agree
-- What the records that trade have afterwards. Records that agree are put in order, and paired, by one half of
-- what is drawn of them, then by what names them; who is left over keeps what it has. Of the pairs those trade that come
-- first by the other half of what is drawn of their first records: as many as the share allows. Where rare records
-- go first, all of that is among those whose values as few records share.
with alike as (
    select
        read.k1,
        read.x3,
        read.x4,
        read.q2 as within_1,
        read.d3 - read.d3 % 16777216 as chance,
        read.d3 % 16777216 as draw,
        count(*) over () as records,
        count(*) over (partition by read.q1, read.q2) as sharing
    from "sqlanon_drawn" as read
),

ordered as (
    select
        alike.k1,
        alike.x3,
        alike.x4,
        alike.within_1,
        alike.chance,
        alike.records,
        alike.sharing,
        row_number() over (
            partition by alike.within_1
            order by
                alike.sharing asc,
                alike.draw asc,
                alike.k1 asc
        ) as turn
    from alike
),

beside as (
    select
        ordered.k1,
        lag(ordered.k1) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as last_k1,
        lead(ordered.x3) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as next_x3,
        lag(ordered.x3) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as last_x3,
        lead(ordered.x4) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as next_x4,
        lag(ordered.x4) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as last_x4,
        ordered.chance,
        lag(ordered.chance) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as last_chance,
        ordered.sharing,
        lag(ordered.sharing) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as last_sharing,
        ordered.records,
        ordered.turn,
        lead(ordered.turn) over (
            partition by ordered.within_1
            order by ordered.turn asc
        ) as next_turn
    from ordered
),

paired as (
    select
        beside.k1,
        case when beside.turn % 2 = 1 then beside.next_x3 else beside.last_x3 end as x3,
        case when beside.turn % 2 = 1 then beside.next_x4 else beside.last_x4 end as x4,
        beside.records,
        row_number() over (
            order by
                case when beside.turn % 2 = 1 then beside.sharing else beside.last_sharing end asc,
                case when beside.turn % 2 = 1 then beside.chance else beside.last_chance end asc,
                case when beside.turn % 2 = 1 then beside.k1 else beside.last_k1 end asc,
                beside.turn asc
        ) as place
    from beside
    where beside.turn % 2 = 0 or beside.next_turn is not null
)

select
    paired.k1,
    paired.x3,
    paired.x4
from paired
where
    cast(paired.place + paired.place % 2 as decimal(38, 0)) * 10
    <= cast(paired.records as decimal(38, 0)) * 1
