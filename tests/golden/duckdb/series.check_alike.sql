-- relation: check_alike
-- grain: one row if persons are new only by the case of their names, or by spaces around them
-- inputs: histories, members
-- outputs: persons
-- paper: none
-- Those who are not in the earlier release are held against those of it who are not here.
with new_persons as (
    select
        lower(trim(histories.w1)) as n1,
        histories.w2 as n2
    from "sqlanon_earlier_histories" as histories
    where histories.c1 = 0
),

gone_persons as (
    select
        lower(trim(members."town")) as n1,
        members."age" as n2
    from "visits_first__members" as members
    left join "sqlanon_earlier_histories" as histories
        on
            members."town" = histories.w1
            and members."age" = histories.w2
    where histories.x0 is null
)

select count(*) as persons
from new_persons
inner join gone_persons
    on
        new_persons.n1 = gone_persons.n1
        and new_persons.n2 = gone_persons.n2
having count(*) > 0
