with numbered as (
    select
        seats.block,
        seats.seat,
        seats.cluster,
        seats.cell_id,
        max(starts.seat) over (
            partition by seats.block order by seats.seat rows unbounded preceding
        ) as first_seat
    from "sqlanon_uhra_seats" as seats
    left join "sqlanon_uhra_starts_0" as starts
        on seats.block = starts.block and seats.seat = starts.seat
)

select
    case when ends.seat is not null then numbered.block * 110 + numbered.first_seat end as class_id,
    numbered.cluster,
    numbered.block,
    numbered.cell_id,
    min(numbered.seat) as place,
    count(*) as records
from numbered
left join "sqlanon_uhra_ends" as ends
    on numbered.block = ends.block and numbered.first_seat = ends.seat
group by
    case when ends.seat is not null then numbered.block * 110 + numbered.first_seat end,
    numbered.cluster,
    numbered.block,
    numbered.cell_id
