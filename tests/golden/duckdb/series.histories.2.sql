-- relation: histories
-- grain: one row per person
-- inputs: persons, placed?, earlier_*
-- outputs: c*, x0, w*
-- paper: Xiao & Tao 2007, m-invariance, over the classes that a person was in
-- In which class of every release each person is: c1, c2, … in the earlier ones, c0 in this one where it is
-- known; 0 where the person is not in that release.
select
    cast(placed.class_id as bigint) as c0,
    cast(coalesce(earlier_1.class_id, 0) as bigint) as c1,
    persons.x0,
    persons.w1,
    persons.w2
from "sqlanon_persons" as persons
inner join "sqlanon_placed" as placed
    on persons.x0 = placed.x0
left join "visits_first__members" as earlier_1
    on
        persons.w1 = earlier_1."town"
        and persons.w2 = earlier_1."age"
