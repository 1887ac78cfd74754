with chances as (
    select
        tuples.records,
        tuples.x1 as persons,
        least(tuples.records / tuples.x1, 1e0) as p,
        greatest(1 - tuples.records / tuples.x1, 0e0) as q
    from "sqlanon_tuples" as tuples
),

risks as (
    select
        chances.records,
        chances.persons,
        chances.p,
        case
            when chances.records > 3 then chances.p / (chances.records - chances.q)
            when chances.q < 0.01e0
                then
                    power(chances.p, chances.records) * (
                        1e0 / chances.records
                        + chances.records * chances.q / (chances.records + 1)
                        + chances.records * (chances.records + 1) * power(chances.q, 2) / (2e0 * (chances.records + 2))
                        + chances.records * (chances.records + 1) * (chances.records + 2) * power(chances.q, 3)
                        / (6e0 * (chances.records + 3))
                        + chances.records * (chances.records + 1) * (chances.records + 2) * (chances.records + 3)
                        * power(chances.q, 4) / (24e0 * (chances.records + 4))
                    )
            when chances.records = 1 then -chances.p * ln(chances.p) / chances.q
            when chances.records = 2
                then chances.p * (chances.p * ln(chances.p) + chances.q) / (chances.q * chances.q)
            else
                chances.p * (chances.q * (3 * chances.q - 2) - 2 * chances.p * chances.p * ln(chances.p))
                / (2 * chances.q * chances.q * chances.q)
        end as risk
    from chances
)

select
    round(sum(risks.persons), 6) as persons,
    round(max(risks.risk), 9) as greatest,
    round(sum(risks.records * risks.risk), 9) as guesses,
    round(coalesce(sum(case when risks.records = 1 then risks.p end), 0), 6) as alone
from risks
