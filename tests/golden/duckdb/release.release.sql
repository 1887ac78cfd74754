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
        recoded.p3,
        recoded.p4,
        recoded.p5,
        recoded.p6,
        recoded.p7,
        recoded.p8
    from "sqlanon_recoded" as recoded
    inner join representatives
        on recoded.class_id = representatives.class_id
)

select
    tuples.p1 as "age",
    tuples.p2 as "zip",
    tuples.p3 as "dose",
    tuples.p4 as "admitted",
    tuples.p5 as "sex",
    tuples.p6 as "town",
    tuples.p7 as "visits_min",
    tuples.p8 as "visits_max",
    domain_s1.value as "disease",
    domain_s2.value as "pain",
    domain_s3.value as "salary",
    ordered.x1 as "ward"
from "sqlanon_ordered" as ordered
inner join tuples
    on ordered.ordinal = tuples.ordinal
inner join "sqlanon_domain_s1" as domain_s1
    on ordered.s1 = domain_s1.code
inner join "sqlanon_domain_s2" as domain_s2
    on ordered.s2 = domain_s2.code
inner join "sqlanon_domain_s3" as domain_s3
    on ordered.s3 = domain_s3.code
order by
    ordered.ordinal,
    ordered.s1,
    ordered.s2,
    ordered.s3,
    ordered.x1
