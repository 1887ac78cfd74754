-- relation: release
-- grain: one row per record
-- inputs: ordered, recoded, domain_*
-- outputs: *
-- paper: none
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with representatives as (
    select min(recoded.class_id) as class_id
    from "sqlanon_recoded" as recoded
    group by recoded.ordinal
),

tuples as (
    select
        recoded.ordinal,
        recoded.p1,
        recoded.p2,
        recoded.p3
    from "sqlanon_recoded" as recoded
    inner join representatives
        on recoded.class_id = representatives.class_id
)

select
    tuples.p1 as "age",
    tuples.p2 as "sex",
    tuples.p3 as "zip",
    domain_s1.value as "disease"
from "sqlanon_ordered" as ordered
inner join tuples
    on ordered.ordinal = tuples.ordinal
inner join "sqlanon_domain_s1" as domain_s1
    on ordered.s1 = domain_s1.code
order by
    ordered.ordinal,
    ordered.s1
