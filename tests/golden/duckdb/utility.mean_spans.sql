-- relation: spans
-- grain: one row per class
-- inputs: ends, places, external
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes that a mean is read as: its own, or where no record of the source has that value, the two
-- around it. 0 is NULL.
with held as (
    select
        places.code,
        case when count(external_table.q1) > 0 then places.code end as held_code
    from "sqlanon_known_q1" as places
    left join "sqlanon_external" as external_table
        on places.value = cast(external_table.q1 as decimal(38, 0))
    group by places.code
),

around as (
    select
        held.code,
        max(held.held_code) over (order by held.code rows unbounded preceding) as low,
        min(held.held_code) over (order by held.code desc rows unbounded preceding) as high
    from held
)

select
    ends.class_id,
    case when ends.stands = 0 then 0 else around.low end as low,
    case when ends.stands = 0 then 0 else around.high end as high,
    1 as whole
from "sqlanon_ends_q1" as ends
left join "sqlanon_known_q1" as places
    on cast(ends.low as decimal(38, 0)) = places.value
left join around
    on places.code = around.code
