-- relation: jumps
-- grain: one row per start
-- inputs: jumps
-- outputs: block, seat, next_seat
-- paper: none
-- Twice as far: so any number of classes is passed in few steps.
select
    jumps.block,
    jumps.seat,
    onward.next_seat
from "sqlanon_uhra_ends" as jumps
inner join "sqlanon_uhra_ends" as onward
    on jumps.block = onward.block and jumps.next_seat = onward.seat
