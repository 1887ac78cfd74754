{# Written from the plan of a run: how many of each value of sqlanon_read are in every class. #}
{% macro plan_of_class_values(columns, order, hierarchy) -%}
sqlanon_records as (
{{ sqlanon.select_records(source="sqlanon_read", columns=sqlanon.columns_of(columns, ["read", "sensitive"])) }}
),

sqlanon_values_s1 as (
{{ sqlanon.select_values_in_use(records="sqlanon_records", attribute="s1", folded=false, tie_breaker=none) }}
),

{%- if hierarchy is not none %}

sqlanon_listed_s1 as (
{{ sqlanon.select_listed(height=hierarchy[0] | length, lines=hierarchy) }}
),

sqlanon_leaves_s1 as (
{{ sqlanon.select_leaves_listed(
    listed="sqlanon_listed_s1", values_in_use="sqlanon_values_s1", height=hierarchy[0] | length
) }}
),

sqlanon_domain_s1 as (
{{ sqlanon.select_domain(
    leaves="sqlanon_leaves_s1", values_in_use="sqlanon_values_s1", height=hierarchy[0] | length, tie_breaker=none
) }}
),

sqlanon_positions_s1 as (
{{ sqlanon.select_positions(domain="sqlanon_domain_s1", by_frequency=false, height=hierarchy[0] | length) }}
),
{%- elif order is not string %}

sqlanon_listed_s1 as (
{{ sqlanon.select_listed_order(order=order) }}
),

sqlanon_domain_s1 as (
{{ sqlanon.select_domain_listed(listed="sqlanon_listed_s1", values_in_use="sqlanon_values_s1") }}
),

sqlanon_positions_s1 as (
{{ sqlanon.select_positions(domain="sqlanon_domain_s1", by_frequency=false, height=0) }}
),
{%- else %}

sqlanon_domain_s1 as (
{{ sqlanon.select_domain_flat(values_in_use="sqlanon_values_s1", tie_breaker=none) }}
),

sqlanon_positions_s1 as (
{{ sqlanon.select_positions(domain="sqlanon_domain_s1", by_frequency=order == "frequency", height=0) }}
),
{%- endif %}

sqlanon_class_values_s1 as (
{{ sqlanon.select_class_values(
    measured="sqlanon_measured", classes="sqlanon_classes", positions="sqlanon_positions_s1", attribute="s1",
    published=sqlanon.aliases_of(columns, ["published"]), tie_breaker=none
) }}
),

sqlanon_unknown as (
{{ sqlanon.select_check_known_values(
    measured="sqlanon_measured", positions="sqlanon_positions_s1", attribute="s1", tie_breaker=none
) }}
)
{%- endmacro %}
