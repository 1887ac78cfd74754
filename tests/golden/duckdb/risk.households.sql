with sized as (
    select
        case when trim(records.w1) <> '' then records.w1 end as w1,
        count(*) over (
            partition by records.q1, records.q2, records.q3
        ) as alike
    from "sqlanon_records" as records
),

households as (
    select
        count(*) as records,
        case
            when min(sized.alike) = 1 then 1e0
            else 1 - exp(sum(case when sized.alike > 1 then ln(1 - 1e0 / sized.alike) end))
        end as risk
    from sized
    where sized.w1 is not null
    group by sized.w1
    union all
    select
        1 as records,
        1e0 / sized.alike as risk
    from sized
    where sized.w1 is null
)

select
    count(*) as households,
    round(max(households.risk), 9) as greatest,
    round(sum(households.records * households.risk), 9) as guesses
from households
