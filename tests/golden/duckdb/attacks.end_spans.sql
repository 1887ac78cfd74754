with extents as (
    select coalesce(max(places.code), 0) as last_code
    from "sqlanon_known_q3" as places
)

select
    ends.class_id,
    case ends.stands when 0 then 0 when 2 then -1 else lows.code end as low,
    case ends.stands when 0 then 0 when 2 then extents.last_code else highs.code end as high,
    1 as whole
from "sqlanon_ends_q3" as ends
cross join extents
left join "sqlanon_known_q3" as lows
    on cast(ends.low as date) = lows.value
left join "sqlanon_known_q3" as highs
    on cast(ends.high as date) = highs.value
