with rows_of_both as (
    select
        coded.b1,
        domain_s1.value as s1,
        1 as side
    from "sqlanon_known_coded" as coded
    inner join "sqlanon_domain_s1" as domain_s1
        on coded.s1 = domain_s1.code
    union all
    select
        beside.b1,
        beside.s1,
        -1 as side
    from "sqlanon_beside" as beside
),

unequal as (
    select sum(rows_of_both.side) as excess
    from rows_of_both
    group by
        rows_of_both.b1,
        rows_of_both.s1
    having sum(rows_of_both.side) < 0
)

select count(*) as differing
from unequal
having count(*) > 0
