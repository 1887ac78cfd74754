-- relation: bounds_cells
-- grain: one row per class whose two cells are bounds that the source has
-- inputs: classes, domain
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes between the bounds. Without bounds a record may have any value, where NULL is one.
with extents as (
    select
        min(domain.code) as first_code,
        max(domain.code) as last_code
    from "sqlanon_domain_q2" as domain
)

select
    classes.class_id,
    case when classes.p2 is null then 0 else lows.code end as low,
    case when classes.p2 is null then extents.last_code else highs.code end as high,
    1 as whole
from "sqlanon_shown_classes" as classes
cross join extents
left join "sqlanon_domain_q2" as lows
    on classes.p2 = lows.level_0
left join "sqlanon_domain_q2" as highs
    on classes.p3 = highs.level_0
where
    lows.code <= highs.code
    or (classes.p2 is null and classes.p3 is null and extents.first_code = 0)
