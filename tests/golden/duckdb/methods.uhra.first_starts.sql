select
    seats.block,
    seats.seat
from "sqlanon_uhra_seats" as seats
where seats.seat = 0
