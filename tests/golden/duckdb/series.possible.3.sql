-- relation: possible
-- grain: one row per group of persons with a value that is left
-- inputs: own_values, groups?, values_*
-- outputs: number, amount
-- paper: Xiao & Tao 2007, Definition 5, with sets of values that may grow
-- How many sensitive values the persons of a group have among them that every earlier class of theirs
-- shows as well, where values persist: no reader can rule one of them out for any of the persons.
select
    own_values.number,
    count(*) as amount
from "sqlanon_series_own_s1" as own_values
inner join "sqlanon_series_groups" as groups
    on own_values.number = groups.number
left join "visits_first__values" as values_1
    on
        groups.c1 = values_1.class_id
        and values_1.attribute = 'disease'
        and own_values.value is not distinct from values_1.value
where
    (groups.c1 = 0 or values_1.class_id is not null)
group by own_values.number
