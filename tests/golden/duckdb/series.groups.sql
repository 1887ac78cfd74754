-- relation: groups
-- grain: one row per group of persons who are in the same class of every release, or in none of it
-- inputs: histories
-- outputs: number, persons, fresh, c*
-- paper: none
-- No reader of the releases can tell the persons of a group apart. Those who are in no earlier release
-- are fresh.
with counted as (
    select
        histories.c1,
        count(*) as persons
    from "sqlanon_earlier_histories" as histories
    group by
        histories.c1
)

select
    row_number() over (
        order by
            counted.c1
    ) as number,
    counted.persons,
    case
        when
            1 = 1
            and counted.c1 = 0
            then 1
        else 0
    end as fresh,
    counted.c1
from counted
