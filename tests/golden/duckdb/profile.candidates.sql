with together as (
    select
        one.column_number as determines,
        other.column_number as determined,
        one.value,
        count(*) as tuples
    from "sqlanon_profile_sample" as one
    inner join "sqlanon_profile_sample" as other
        on one.lot = other.lot
    where one.column_number <> other.column_number
    group by one.column_number, other.column_number, one.value, other.value
),

told as (
    select
        together.determines,
        together.determined,
        sum(together.tuples) as shared,
        sum(together.tuples) - max(together.tuples) as missed
    from together
    group by together.determines, together.determined, together.value
),

missed as (
    select
        told.determines,
        told.determined,
        sum(told.shared) as shared,
        sum(told.missed) as missed
    from told
    where told.shared > 1
    group by told.determines, told.determined
),

single as (
    select
        profile_sample.column_number,
        count(*) as tuples
    from "sqlanon_profile_sample" as profile_sample
    group by profile_sample.column_number, profile_sample.value
),

alone as (
    select
        single.column_number,
        sum(single.tuples) as tuples,
        sum(single.tuples) - max(single.tuples) as missed
    from single
    group by single.column_number
)

select
    missed.determines,
    missed.determined,
    cast(missed.missed as bigint) as missed,
    cast(missed.shared as bigint) as shared
from missed
inner join alone
    on missed.determined = alone.column_number
where missed.shared >= 10 and alone.missed > 0 and 10 * missed.missed * alone.tuples <= alone.missed * missed.shared
