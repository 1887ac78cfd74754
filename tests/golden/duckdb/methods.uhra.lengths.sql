select seats.seat + 1 as length
from "sqlanon_uhra_seats" as seats
where seats.seat < 24
group by seats.seat
