-- relation: starts
-- grain: one row per start
-- inputs: starts, jumps
-- outputs: block, seat
-- paper: none
-- The starts that are known, and those that a jump takes them to.
select
    starts.block,
    starts.seat
from "sqlanon_uhra_starts_1" as starts
union
select
    starts.block,
    jumps.next_seat as seat
from "sqlanon_uhra_starts_1" as starts
inner join "sqlanon_uhra_jumps_1" as jumps
    on starts.block = jumps.block and starts.seat = jumps.seat
