with described as (
    select
        known.tuple,
        string_agg(
            cast(known.code as varchar) || ':' || cast(known.weight as varchar), ',' order by known.code
        ) as distribution
    from "sqlanon_known_b1" as known
    group by known.tuple
),

firsts as (
    select
        described.distribution,
        min(described.tuple) as tuple
    from described
    group by described.distribution
),

numbered as (
    select
        firsts.distribution,
        row_number() over (order by firsts.tuple) as code
    from firsts
)

select
    tuples.tuple,
    cast(numbered.code as integer) as code,
    tuples.q2,
    tuples.records
from "sqlanon_tuples_b1" as tuples
inner join described
    on tuples.tuple = described.tuple
inner join numbered
    on described.distribution = numbered.distribution
