-- relation: spans
-- grain: one row per class
-- inputs: ends, places
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes that a cell stands for: 0 is NULL, -1 a value that no cell has.
with extents as (
    select coalesce(max(places.code), 0) as last_code
    from "sqlanon_known_q10" as places
)

select
    ends.class_id,
    case ends.stands when 0 then 0 when 2 then -1 else lows.code end as low,
    case ends.stands when 0 then 0 when 2 then extents.last_code else highs.code end as high,
    1 as whole
from "sqlanon_ends_q10" as ends
cross join extents
left join "sqlanon_known_q10" as lows
    on cast(ends.low as decimal(38, 0)) = lows.value
left join "sqlanon_known_q10" as highs
    on cast(ends.high as decimal(38, 0)) = highs.value
