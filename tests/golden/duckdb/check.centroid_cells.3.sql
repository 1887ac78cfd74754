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
    from "sqlanon_domain_q4" as domain
),

known as (
    select distinct cast(domain.level_0 as varchar) as label
    from "sqlanon_domain_q4" as domain
    where domain.records > 0
)

select
    classes.class_id,
    extents.first_code as low,
    extents.last_code as high,
    1 as whole
from "sqlanon_shown_classes" as classes
cross join extents
inner join known
    on cast(classes.p4 as varchar) is not distinct from known.label
