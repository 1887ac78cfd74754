-- relation: histories
-- grain: one row per person
-- inputs: named_*
-- outputs: c*, name
-- paper: Nergiz, Clifton & Nergiz 2009, multirelational k-anonymity, §3
-- In which class of every release a reader finds each person who is in one of them: c0 in this one, c1, c2,
-- … in the earlier ones; 0 where there is no row of the person, which readers see too.
with found as (
    select
        0 as place,
        named_0.name,
        named_0.class_id
    from "sqlanon_linked_here" as named_0
    union all
    select
        1 as place,
        named_1.name,
        named_1.class_id
    from "sqlanon_linked_named_1" as named_1

)

select
    cast(max(case when found.place = 0 then found.class_id else 0 end) as bigint) as c0,
    cast(max(case when found.place = 1 then found.class_id else 0 end) as bigint) as c1,
    found.name
from found
group by found.name
