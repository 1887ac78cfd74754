-- relation: departed_values
-- grain: one row per class of an earlier release of which somebody is not in this one
-- inputs: departed, kept_values, groups, own_values
-- outputs: class_id, persons, amount
-- paper: Xiao & Tao 2007, §2 (critical absence), of values that go where persons go
-- Who knows the values of those who stayed takes them from those that the class had: how many different
-- ones are left, of so many persons.
with stayed as (
    select
        groups.c1 as class_id,
        own_values.value,
        sum(own_values.persons) as persons
    from "sqlanon_series_own_s1" as own_values
    inner join "sqlanon_series_groups" as groups
        on own_values.number = groups.number
    where groups.c1 > 0
    group by groups.c1, own_values.value
)

select
    departed.class_id,
    departed.persons,
    count(*) as amount
from "sqlanon_series_departed_1" as departed
inner join "visits_first__values" as kept_values
    on departed.class_id = kept_values.class_id and kept_values.attribute = 'disease'
left join stayed
    on
        kept_values.class_id = stayed.class_id
        and kept_values.value is not distinct from stayed.value
where kept_values.persons > coalesce(stayed.persons, 0)
group by departed.class_id, departed.persons
