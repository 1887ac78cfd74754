with sizes as (
    select
        seats.block,
        count(*) as records
    from "sqlanon_uhra_seats" as seats
    group by seats.block
)

select
    open_seats.block,
    open_seats.seat
from "sqlanon_uhra_seats" as open_seats
inner join sizes
    on open_seats.block = sizes.block
left join "sqlanon_uhra_ends_0" as ends
    on open_seats.block = ends.block and open_seats.seat = ends.seat
where ends.seat is null and open_seats.seat + 4 < sizes.records
