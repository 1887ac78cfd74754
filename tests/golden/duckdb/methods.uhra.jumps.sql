with all_ends as (
    select
        ends.block,
        ends.seat,
        ends.next_seat
    from "sqlanon_uhra_ends_0" as ends

)

select
    all_ends.block,
    all_ends.seat,
    all_ends.next_seat
from all_ends
