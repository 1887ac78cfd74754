{# Written from sql_templates/privacy/recursive_l.sql.j2; change that, and write this anew. #}
{% macro select_recursive_l(class_values, l) %}
-- relation: recursive_l
-- grain: one row per equivalence class
-- inputs: class_values
-- outputs: class_id, value, amount, scale
-- paper: Machanavajjhala et al. 2007, recursive (c, l)-diversity
-- With counts r1 >= r2 >= …: r1 < c (rl + … + rm). The value is r1 over that tail, below c; it is
-- NULL where the class has fewer than l values.
with ranked as (
    select
        class_values.class_id,
        class_values.records,
        row_number() over (
            partition by class_values.class_id
            order by class_values.records desc, class_values.code asc
        ) as frequency_rank
    from {{ class_values }} as class_values
),

heads_and_tails as (
    select
        ranked.class_id,
        max(ranked.records) as head,
        cast(sum(case when ranked.frequency_rank >= {{ l }} then ranked.records else 0 end) as bigint) as tail
    from ranked
    group by ranked.class_id
)

select
    heads_and_tails.class_id,
    cast(heads_and_tails.head as {{ sqlanon.double() }}) / nullif(heads_and_tails.tail, 0) as value,
    cast(heads_and_tails.head as decimal(38, 0)) as amount,
    cast(heads_and_tails.tail as decimal(38, 0)) as scale
from heads_and_tails
{% endmacro %}
