-- relation: possible
-- grain: one row per group of persons with a value that is left
-- inputs: own_values, groups, values_*
-- outputs: number, amount, most
-- paper: Xiao & Tao 2007, Definition 5, with sets of values that may grow
-- How many sensitive values the persons of a group have among them that every earlier class of theirs
-- shows as well, where values persist: no reader can rule one of them out for any of the persons. Where one
-- is had by all of them it is certain of each, whatever else they have: that counts as one value.
-- So many persons of the group have its commonest value.
with commonest as (
    select
        own_values.number,
        max(own_values.persons) as most
    from "sqlanon_series_own_s1" as own_values
    group by own_values.number
)

select
    own_values.number,
    case when max(commonest.most) >= max(groups.persons) then 1 else count(*) end as amount,
    max(commonest.most) as most
from "sqlanon_series_own_s1" as own_values
inner join "sqlanon_series_groups" as groups
    on own_values.number = groups.number
inner join commonest
    on own_values.number = commonest.number
left join "visits_first__values" as values_1
    on
        groups.c1 = values_1.class_id
        and values_1.attribute = 'disease'
        and own_values.value is not distinct from values_1.value
where
    (groups.c1 = 0 or values_1.class_id is not null)
group by own_values.number
