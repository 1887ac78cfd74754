-- relation: given_away
-- grain: one row per sensitive attribute of which some class gives a value away
-- inputs: class_report
-- outputs: place, classes, records, persons
-- paper: Machanavajjhala et al. 2007, §2.1: a class whose members all have one value
-- The classes in which a value is had by everybody: the greatest share of a value is all of them. Where no
-- persons are counted each record is one.
with given as (
    select
        1 as place,
        class_report.records,
        class_report.k_anonymity as persons
    from "r__classes" as class_report
    where class_report."pay_alpha" >= 1
    union all
    select
        2 as place,
        class_report.records,
        class_report.k_anonymity as persons
    from "r__classes" as class_report
    where class_report."disease_alpha" >= 1

)

select
    given.place,
    count(*) as classes,
    cast(sum(given.records) as bigint) as records,
    cast(sum(given.persons) as bigint) as persons
from given
group by given.place
order by given.place
