{# Written from sql_templates/privacy/t_hierarchical.sql.j2; change that, and write this anew. #}
{% macro select_t_hierarchical(classes, class_values, positions, height) %}
-- relation: t_hierarchical
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Li, Li & Venkatasubramanian 2007, §4.2; hierarchical ground distance
-- Over a hierarchy of height H the distance is the mean, over the levels below the root, of the
-- equal distance between the distributions at that level. Whole numbers until the last line.
with reference as (
    select cast(sum(positions.records) as bigint) as records
    from {{ positions }} as positions
),

node_frequencies as (
{%- for level in range(height) %}
    select
        {{ level }} as level,
        positions.node_{{ level }} as node,
        cast(sum(positions.records) as bigint) as frequency
    from {{ positions }} as positions
    group by positions.node_{{ level }}
{{ sqlanon.union_all(loop) }}
{%- endfor %}
),

class_nodes as (
{%- for level in range(height) %}
    select
        class_values.class_id,
        {{ level }} as level,
        positions.node_{{ level }} as node,
        cast(sum(class_values.records) as bigint) as records
    from {{ class_values }} as class_values
    inner join {{ positions }} as positions
        on class_values.code = positions.code
    group by class_values.class_id, positions.node_{{ level }}
{{ sqlanon.union_all(loop) }}
{%- endfor %}
),

surpluses as (
    select
        classes.class_id,
        classes.records,
        sum(
            case
                when class_nodes.records * reference.records > node_frequencies.frequency * classes.records
                    then class_nodes.records * reference.records - node_frequencies.frequency * classes.records
                else 0
            end
        ) as surplus
    from class_nodes
    inner join node_frequencies
        on class_nodes.level = node_frequencies.level and class_nodes.node = node_frequencies.node
    inner join {{ classes }} as classes
        on class_nodes.class_id = classes.class_id
    cross join reference
    group by classes.class_id, classes.records
),

distances as (
    select
        surpluses.class_id,
        cast(surpluses.surplus as decimal(38, 0)) as moved,
        cast(surpluses.records as decimal(38, 0)) * reference.records * {{ height }} as scale
    from surpluses
    cross join reference
)

select
    distances.class_id,
    cast(distances.moved as {{ sqlanon.double() }}) / cast(distances.scale as {{ sqlanon.double() }}) as value,
    distances.moved as amount,
    distances.scale
from distances
{% endmacro %}
