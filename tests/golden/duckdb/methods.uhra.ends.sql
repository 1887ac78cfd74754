-- relation: ends
-- grain: one row per start
-- inputs: stretches, held
-- outputs: block, seat, next_seat
-- paper: Amiri et al. 2023, algorithm 2, lines 7 to 10
-- Where a class that begins at a seat ends: as soon as it meets every model.
select
    stretches.block,
    stretches.seat,
    min(stretches.last_seat) + 1 as next_seat
from "sqlanon_uhra_stretches" as stretches
left join (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
) as failing
    on stretches.class_id = failing.class_id
where failing.class_id is null
group by stretches.block, stretches.seat
