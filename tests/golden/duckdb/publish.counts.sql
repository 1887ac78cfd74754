with ranged as (
    select
        noisy.number,
        noisy.set_id,
        noisy.q1,
        noisy.q2,
        noisy.q3,
        noisy.s1,
        noisy.records as divisor,
        least(greatest(noisy.records - ((noisy.records % 5) + 5) % 5 + case when 2 * (((noisy.records % 5) + 5) % 5) >= 5 then 5 else 0 end, 0), 1000) as records
    from "sqlanon_noisy" as noisy
)

select
    ranged.set_id,
    ranged.q1 as "age",
    ranged.q2 as "sex",
    ranged.q3 as "town",
    cast(ranged.records as bigint) as "persons",
    cast(cast(ranged.s1 as decimal(28, 0)) * 2 as decimal(38, 0)) as "visits_sum",
    case
        when ranged.divisor > 0
            then greatest(least(cast(ranged.s1 as double) * cast(2 as double) / ranged.divisor, cast(20 as double)), cast(-2 as double))
    end as "visits_mean"
from ranged
order by ranged.number
