select
    starts.block,
    starts.seat
from "sqlanon_uhra_starts_0" as starts
union
select
    starts.block,
    jumps.next_seat as seat
from "sqlanon_uhra_starts_0" as starts
inner join "sqlanon_uhra_ends" as jumps
    on starts.block = jumps.block and starts.seat = jumps.seat
