{# Written from sql_templates/domains/nodes.sql.j2; change that, and write this anew. #}
{% macro select_nodes(domain, height) %}
-- relation: nodes
-- grain: one row per label of the hierarchy; the label of NULL is NULL
-- inputs: domain
-- outputs: label, leaves, meanings
-- paper: none
-- The extent of a published label: how many leaves lie under it. A label that names several
-- different groups has several meanings, and the hierarchy is refused.
with labelled as (
{%- for level in range(height) %}
    select
        domain.level_{{ level }} as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from {{ domain }} as domain
    group by domain.level_{{ level }}, domain.node_{{ level }}
    union all
{%- endfor %}
    select
        '*' as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from {{ domain }} as domain
)

select
    labelled.label,
    max(labelled.leaves) as leaves,
    count(distinct labelled.first_leaf * 4294967296 + labelled.last_leaf) as meanings
from labelled
group by labelled.label
{% endmacro %}
