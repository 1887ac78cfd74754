-- relation: stretches
-- grain: one row per class as formed and combination of sensitive values
-- inputs: open_seats, seats
-- outputs: class_id, block, seat, last_seat, s*, records
-- paper: Amiri et al. 2023, algorithm 2, lines 5 to 11
-- From every seat at which a class may begin, the stretches of 5 to 8 records.
with bounds as (
    select
        open_seats.block,
        open_seats.seat,
        last_seats.seat as last_seat,
        (open_seats.block * 110 + open_seats.seat) * 4
        + last_seats.seat - open_seats.seat - 4 as class_id
    from "sqlanon_uhra_open_1" as open_seats
    inner join "sqlanon_uhra_seats" as last_seats
        on
            open_seats.block = last_seats.block
            and open_seats.seat + 4 <= last_seats.seat
            and open_seats.seat + 8 > last_seats.seat
)

select
    bounds.class_id,
    bounds.block,
    bounds.seat,
    bounds.last_seat,
    members.s1,
    members.s2,
    count(*) as records
from bounds
inner join "sqlanon_uhra_seats" as members
    on
        bounds.block = members.block
        and bounds.seat <= members.seat
        and bounds.last_seat >= members.seat
group by bounds.class_id, bounds.block, bounds.seat, bounds.last_seat, members.s1, members.s2
