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
    from "sqlanon_domain_q7" as domain
)

select
    classes.class_id,
    case when classes.p7 is null then 0 else lows.code end as low,
    case when classes.p7 is null then extents.last_code else highs.code end as high,
    1 as whole
from "sqlanon_cell_texts" as classes
cross join extents
left join "sqlanon_domain_q7" as lows
    on classes.p7 = lows.value
left join "sqlanon_domain_q7" as highs
    on classes.p8 = highs.value
where
    lows.code <= highs.code
    or (classes.p7 is null and classes.p8 is null and extents.first_code = 0)
