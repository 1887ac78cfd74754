with coded as (
    select
        external_table.q1 as known_q1,
        case
            when external_table.q1 is null then 0
            else coalesce(places_q1.code, -1)
        end as q1,
        external_table.q2 as known_q2,
        case
            when external_table.q2 is null then 0
            else coalesce(places_q2.code, -1)
        end as q2
    from "sqlanon_external" as external_table
    left join "sqlanon_external_domain_q1" as places_q1
        on external_table.q1 = places_q1.value
    left join "sqlanon_external_domain_q2" as places_q2
        on external_table.q2 = places_q2.value
)

select
    coded.known_q1 as "zip",
    coded.known_q2 as "age",
    count(*) as persons,
    min(linked.matches) as matches,
    min(linked.behind) as behind
from coded
inner join "sqlanon_linked" as linked
    on
        coded.q1 = linked.q1
        and coded.q2 = linked.q2
group by coded.known_q1, coded.known_q2
