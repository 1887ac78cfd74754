select
    cast(domain_q1.level_1 as varchar) as q1,
    cast(domain_q2.level_0 as varchar) as q2,
    cast('*' as varchar) as q3,
    case
        when records.s1 is null then cast(0 as bigint)
        else -1 + cast(round(cast((greatest(least(records.s1, 20), -2) - -2) - (greatest(least(records.s1, 20), -2) - -2) % 2 + case when 2 * ((greatest(least(records.s1, 20), -2) - -2) % 2) >= 2 then 2 else 0 end as double) / cast(2 as double)) as bigint)
    end as s1,
    records.w1
from "sqlanon_records" as records
left join "sqlanon_domain_q1" as domain_q1
    on records.q1 = domain_q1.value
left join "sqlanon_domain_q2" as domain_q2
    on records.q2 = domain_q2.value
