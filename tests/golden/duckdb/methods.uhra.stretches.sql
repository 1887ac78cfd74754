with shelved as (
    select
        open_seats.block,
        open_seats.seat,
        open_seats.seat - open_seats.seat % 4 as shelf
    from "sqlanon_uhra_seats" as open_seats
    union all
    select
        open_seats.block,
        open_seats.seat,
        open_seats.seat - open_seats.seat % 4 + 4 as shelf
    from "sqlanon_uhra_seats" as open_seats
),

members as (
    select
        shelved.block,
        shelved.seat,
        seats.seat as member_seat,
        seats.s1,
        seats.s2
    from shelved
    inner join "sqlanon_uhra_seats" as seats
        on
            shelved.block = seats.block
            and shelved.shelf = seats.seat - seats.seat % 4
            and shelved.seat <= seats.seat
            and shelved.seat + 4 > seats.seat
),

held as (
    select
        members.block,
        members.seat,
        members.s1,
        members.s2
    from members
    group by members.block, members.seat, members.s1, members.s2
),

counted as (
    select
        members.block,
        members.seat,
        members.member_seat as last_seat,
        held.s1,
        held.s2,
        sum(case when members.s1 = held.s1 and members.s2 = held.s2 then 1 else 0 end) over (
            partition by members.block, members.seat, held.s1, held.s2
            order by members.member_seat rows unbounded preceding
        ) as records
    from members
    inner join held
        on members.block = held.block and members.seat = held.seat
)

select
    (counted.block * 110 + counted.seat) * 1
    + counted.last_seat - counted.seat - 3 as class_id,
    counted.block,
    counted.seat,
    counted.last_seat,
    counted.s1,
    counted.s2,
    cast(counted.records as bigint) as records
from counted
where counted.records > 0 and counted.last_seat >= counted.seat + 3
