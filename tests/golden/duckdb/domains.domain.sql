with ranked as (
    select
        leaves.value,
        case
            when leaves.value is not null
                then row_number() over (order by leaves.value nulls last, leaves.level_0)
        end as value_rank,
        leaves.level_0
    from "sqlanon_leaves_q5" as leaves
),

first_values as (
    select
        ranked.value,
        ranked.value_rank,
        ranked.level_0
    from ranked
),

numbered as (
    select
        row_number() over (
            order by
                first_values.value_rank nulls last,
                first_values.level_0
        ) as code,
        first_values.value,
        first_values.level_0
    from first_values
),

numbered_and_null as (
    select
        numbered.code,
        numbered.value,
        coalesce(values_in_use.records, 0) as records,
        numbered.level_0
    from numbered
    left join "sqlanon_values_q5" as values_in_use
        on
            numbered.value = values_in_use.value
    union all
    select
        0 as code,
        values_in_use.value,
        values_in_use.records,
        null as level_0
    from "sqlanon_values_q5" as values_in_use
    where values_in_use.value is null
)

select
    numbered_and_null.code,
    numbered_and_null.value,
    numbered_and_null.records,
    numbered_and_null.level_0,
    numbered_and_null.code as node_0
from numbered_and_null
