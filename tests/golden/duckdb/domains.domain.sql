-- relation: domain
-- grain: one row per leaf of the hierarchy; code 0 is NULL, if the data holds it
-- inputs: leaves, values_in_use
-- outputs: code, value, records, level_*, node_*
-- paper: none
-- Leaves are numbered depth first, so that the leaves under every node are neighbours: the lowest
-- common ancestor of any set of leaves is that of its smallest and its largest code. Children
-- stand in the order of their smallest value. A node is named by its first leaf's code; the
-- root, above the highest level here, needs no name.
with ranked as (
    select
        leaves.value,
        case
            when leaves.value is not null
                then row_number() over (order by leaves.value nulls last, leaves.level_0)
        end as value_rank,
        leaves.level_0,
        leaves.level_1,
        leaves.level_2,
        leaves.level_3
    from "sqlanon_leaves_q1" as leaves
),

first_values as (
    select
        ranked.value,
        ranked.value_rank,
        ranked.level_0,
        ranked.level_1,
        min(ranked.value_rank) over (
            partition by ranked.level_1, ranked.level_2, ranked.level_3
        ) as first_1,
        ranked.level_2,
        min(ranked.value_rank) over (
            partition by ranked.level_2, ranked.level_3
        ) as first_2,
        ranked.level_3,
        min(ranked.value_rank) over (
            partition by ranked.level_3
        ) as first_3
    from ranked
),

numbered as (
    select
        row_number() over (
            order by
                first_values.first_3 nulls last,
                first_values.level_3,
                first_values.first_2 nulls last,
                first_values.level_2,
                first_values.first_1 nulls last,
                first_values.level_1,
                first_values.value_rank nulls last,
                first_values.level_0
        ) as code,
        first_values.value,
        first_values.level_0,
        first_values.level_1,
        first_values.level_2,
        first_values.level_3
    from first_values
),

numbered_and_null as (
    select
        numbered.code,
        numbered.value,
        coalesce(values_in_use.records, 0) as records,
        numbered.level_0,
        numbered.level_1,
        numbered.level_2,
        numbered.level_3
    from numbered
    left join "sqlanon_values_q1" as values_in_use
        on
            numbered.value = values_in_use.value
    union all
    select
        0 as code,
        values_in_use.value,
        values_in_use.records,
        null as level_0,
        null as level_1,
        null as level_2,
        null as level_3
    from "sqlanon_values_q1" as values_in_use
    where values_in_use.value is null
)

select
    numbered_and_null.code,
    numbered_and_null.value,
    numbered_and_null.records,
    numbered_and_null.level_0,
    numbered_and_null.level_1,
    numbered_and_null.level_2,
    numbered_and_null.level_3,
    numbered_and_null.code as node_0,
    min(numbered_and_null.code) over (
        partition by numbered_and_null.level_1, numbered_and_null.level_2, numbered_and_null.level_3
    ) as node_1,
    min(numbered_and_null.code) over (
        partition by numbered_and_null.level_2, numbered_and_null.level_3
    ) as node_2,
    min(numbered_and_null.code) over (
        partition by numbered_and_null.level_3
    ) as node_3
from numbered_and_null
