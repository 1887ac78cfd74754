with coded as (
    select
        case
            when external_table.q1 is null then 0
            else coalesce(places_q1.code, -1)
        end as q1,
        case
            when external_table.q2 is null then 0
            else coalesce(places_q2.code, -1)
        end as q2,
        case
            when external_table.q3 is null then 0
            else coalesce(places_q3.code, -1)
        end as q3,
        case
            when external_table.q4 is null then 0
            else coalesce(places_q4.code, -1)
        end as q4,
        case
            when external_table.q5 is null then 0
            else coalesce(places_q5.code, -1)
        end as q5,
        case
            when external_table.q6 is null then 0
            else coalesce(places_q6.code, -1)
        end as q6,
        case
            when external_table.q7 is null then 0
            else coalesce(places_q7.code, -1)
        end as q7,
        case
            when external_table.q8 is null then 0
            else coalesce(places_q8.code, -1)
        end as q8,
        case
            when external_table.q9 is null then 0
            else coalesce(places_q9.code, -1)
        end as q9,
        case
            when external_table.q10 is null then 0
            else coalesce(places_q10.code, -1)
        end as q10
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
    left join "sqlanon_known_q8" as places_q8
        on cast(external_table.q8 as varchar) = places_q8.value
    left join "sqlanon_known_q9" as places_q9
        on cast(external_table.q9 as varchar) = places_q9.value
    left join "sqlanon_known_q10" as places_q10
        on cast(external_table.q10 as decimal(38, 0)) = places_q10.value
)

select
    coded.q1,
    coded.q2,
    coded.q3,
    coded.q4,
    coded.q5,
    coded.q6,
    coded.q7,
    coded.q8,
    coded.q9,
    coded.q10,
    count(*) as records
from coded
group by coded.q1, coded.q2, coded.q3, coded.q4, coded.q5, coded.q6, coded.q7, coded.q8, coded.q9, coded.q10
