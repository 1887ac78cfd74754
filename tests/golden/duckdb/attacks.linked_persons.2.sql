-- relation: linked_persons
-- grain: one row per person and tuple of quasi-identifiers that several may share
-- inputs: external, linked, places_*
-- outputs: *
-- paper: none
-- The persons of the external table as they are known, and what they find; for the publisher alone.
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
        end as q2,
        external_table.q3 as known_q3,
        case
            when external_table.q3 is null then 0
            else coalesce(places_q3.code, -1)
        end as q3,
        external_table.q4 as known_q4,
        case
            when external_table.q4 is null then 0
            else coalesce(places_q4.code, -1)
        end as q4,
        external_table.q5 as known_q5,
        case
            when external_table.q5 is null then 0
            else coalesce(places_q5.code, -1)
        end as q5,
        external_table.q6 as known_q6,
        case
            when external_table.q6 is null then 0
            else coalesce(places_q6.code, -1)
        end as q6,
        external_table.q7 as known_q7,
        case
            when external_table.q7 is null then 0
            else coalesce(places_q7.code, -1)
        end as q7
    from "sqlanon_external" as external_table
    left join "sqlanon_external_domain_q1" as places_q1
        on external_table.q1 = places_q1.value
    left join "sqlanon_external_domain_q2" as places_q2
        on external_table.q2 = places_q2.value
    left join "sqlanon_external_domain_q3" as places_q3
        on external_table.q3 = places_q3.value
    left join "sqlanon_external_domain_q4" as places_q4
        on external_table.q4 = places_q4.value
    left join "sqlanon_external_domain_q5" as places_q5
        on external_table.q5 = places_q5.value
    left join "sqlanon_external_domain_q6" as places_q6
        on external_table.q6 = places_q6.value
    left join "sqlanon_known_q7" as places_q7
        on cast(external_table.q7 as double) = places_q7.value
)

select
    coded.known_q1 as "age",
    coded.known_q2 as "zip",
    coded.known_q3 as "dose",
    coded.known_q4 as "admitted",
    coded.known_q5 as "sex",
    coded.known_q6 as "town",
    coded.known_q7 as "visits",
    count(*) as persons,
    min(linked.matches) as matches,
    min(linked.behind) as behind
from coded
inner join "sqlanon_linked" as linked
    on
        coded.q1 = linked.q1
        and coded.q2 = linked.q2
        and coded.q3 = linked.q3
        and coded.q4 = linked.q4
        and coded.q5 = linked.q5
        and coded.q6 = linked.q6
        and coded.q7 = linked.q7
group by coded.known_q1, coded.known_q2, coded.known_q3, coded.known_q4, coded.known_q5, coded.known_q6, coded.known_q7
