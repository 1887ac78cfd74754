-- relation: centroid_cells
-- grain: one row per class whose cell is one that a class of the source may have
-- inputs: classes, domain
-- outputs: class_id, low, high, whole
-- paper: none
-- A centroid does not say which values its class has: the codes are all there are.
with extents as (
    select
        min(domain.code) as first_code,
        max(domain.code) as last_code
    from "sqlanon_domain_q1" as domain
),

ends as (
    select
        min(domain.value) as least,
        max(domain.value) as greatest
    from "sqlanon_domain_q1" as domain
)

select
    classes.class_id,
    extents.first_code as low,
    extents.last_code as high,
    1 as whole
from "sqlanon_shown_classes" as classes
cross join extents
cross join ends
where
    classes.p1 between ends.least and ends.greatest
    or (classes.p1 is null and extents.first_code = 0)
