-- relation: starts
-- grain: one row per start
-- inputs: seats
-- outputs: block, seat
-- paper: none
-- The first class of every block begins at its first seat.
select
    seats.block,
    seats.seat
from "sqlanon_uhra_seats" as seats
where seats.seat = 0
