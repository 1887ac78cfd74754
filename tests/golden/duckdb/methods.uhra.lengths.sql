-- relation: lengths
-- grain: one row per length
-- inputs: seats
-- outputs: length
-- paper: none
-- How many records may be tried together: from one to 24, or to the size of the largest block.
select seats.seat + 1 as length
from "sqlanon_uhra_seats" as seats
where seats.seat < 24
group by seats.seat
