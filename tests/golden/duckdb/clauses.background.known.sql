with rounded as (
    select
        given.tuple,
        dense_rank() over (order by given.value) as code,
        cast(floor(given.probability * 1e12 + 0.5e0) as bigint) as weight
    from "sqlanon_given_b1" as given
),

sums as (
    select
        rounded.tuple,
        cast(sum(rounded.weight) as bigint) as weight
    from rounded
    group by rounded.tuple
)

select
    rounded.tuple,
    cast(rounded.code as bigint) as code,
    cast(floor(cast(rounded.weight as double) / cast(sums.weight as double) * 1e12 + 0.5e0) as bigint) as weight
from rounded
inner join sums
    on rounded.tuple = sums.tuple
where rounded.weight > 0
