with valued as (
    select
        given.tuple,
        given.value,
        count(*) as times
    from "sqlanon_given_b1" as given
    group by given.tuple, given.value
),

negative as (
    select count(*) as found
    from "sqlanon_given_b1" as given
    where given.probability is null or not (given.probability >= 0 and given.probability <= 1 + 1e-6)
),

uneven as (
    select count(*) as found
    from (
        select given.tuple
        from "sqlanon_given_b1" as given
        where given.probability >= 0 and given.probability <= 1 + 1e-6
        group by given.tuple
        having abs(sum(given.probability) - 1) > 1e-6
    ) as sums
),

lacking as (
    select count(*) as found
    from "sqlanon_tuples_b1" as tuples
    left join (select distinct valued.tuple from valued) as there
        on tuples.tuple = there.tuple
    where there.tuple is null
),

twice as (
    select count(*) as found
    from valued
    where valued.times > 1
),

unnamed as (
    select count(*) as found
    from "sqlanon_positions_s1" as positions
    left join (select distinct valued.value, 1 as there from valued) as named
        on positions.value is not distinct from named.value
    where positions.records > 0 and named.there is null
)

select
    lacking.found as lacking,
    twice.found as twice,
    negative.found as negative,
    uneven.found as uneven,
    unnamed.found as unnamed
from lacking
cross join twice
cross join negative
cross join uneven
cross join unnamed
where lacking.found + twice.found + negative.found + uneven.found + unnamed.found > 0
