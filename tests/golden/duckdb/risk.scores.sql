with scored as (
    select
        minimal.q1,
        minimal.q2,
        minimal.q3,
        cast(
            sum(
                case (minimal.mask % 2 - minimal.mask % 1) / 1 + (minimal.mask % 4 - minimal.mask % 2) / 2 + (minimal.mask % 8 - minimal.mask % 4) / 4
                    when 1 then 2
                    when 2 then 1
                    when 3 then 1
                end
            ) as bigint
        ) as score
    from "sqlanon_minimal" as minimal
    group by minimal.q1, minimal.q2, minimal.q3
)

select
    count(*) as records,
    max(scored.score) as greatest,
    cast(coalesce(sum(scored.score), 0) as bigint) as total
from scored
