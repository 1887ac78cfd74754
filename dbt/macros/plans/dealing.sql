{# Written from the plan of a run: from sqlanon_read to sqlanon_release, by Stack & Deal. #}
{% macro plan_of_dealing(columns, k, stack, seed) -%}
sqlanon_records as (
{{ sqlanon.select_records(
    source="sqlanon_read", columns=sqlanon.columns_of(columns, ["interval", "set", "sensitive", "insensitive", "key"])
) }}
),

{%- for attribute in sqlanon.aliases_of(columns, ["interval", "set"]) %}

sqlanon_values_{{ attribute }} as (
{{ sqlanon.select_values_in_use(records="sqlanon_records", attribute=attribute, folded=true, tie_breaker=none) }}
),

sqlanon_domain_{{ attribute }} as (
{{ sqlanon.select_domain_flat(values_in_use="sqlanon_values_" ~ attribute, tie_breaker=none) }}
),
{%- endfor %}

{%- for attribute in sqlanon.aliases_of(columns, ["sensitive"]) %}

sqlanon_values_{{ attribute }} as (
{{ sqlanon.select_values_in_use(records="sqlanon_records", attribute=attribute, folded=false, tie_breaker=none) }}
),

sqlanon_domain_{{ attribute }} as (
{{ sqlanon.select_domain_flat(values_in_use="sqlanon_values_" ~ attribute, tie_breaker=none) }}
),

sqlanon_positions_{{ attribute }} as (
{{ sqlanon.select_positions(domain="sqlanon_domain_" ~ attribute, by_frequency=false, height=0) }}
),
{%- endfor %}

sqlanon_coded as (
{{ sqlanon.select_coded(
    records="sqlanon_records", attributes=sqlanon.aliases_of(columns, ["interval", "set", "sensitive"]),
    carried=sqlanon.aliases_of(columns, ["insensitive", "key"]),
    domains=sqlanon.relations_of(columns, ["interval", "set", "sensitive"], "sqlanon_domain_"), nodes={}, tie_breaker={}
) }}
),

sqlanon_stack as (
{{ sqlanon.select_stack(
    records="sqlanon_records", order=stack, positions=sqlanon.relations_of(columns, ["sensitive"], "sqlanon_positions_"),
    sensitive=sqlanon.aliases_of(columns, ["sensitive"]), tie_breaker={}
) }}
),

sqlanon_sizes as (
{{ sqlanon.select_sizes(stack="sqlanon_stack", k=k) }}
),

sqlanon_stacked as (
{{ sqlanon.select_stacked(
    coded="sqlanon_coded", stack="sqlanon_stack",
    columns=sqlanon.aliases_of(columns, ["interval", "set", "sensitive", "insensitive", "key"]),
    quasi_identifiers=sqlanon.aliases_of(columns, ["interval", "set"]), seed=seed,
    sensitive=sqlanon.aliases_of(columns, ["sensitive"]),
    ties=sqlanon.aliases_of(columns, ["interval", "set", "insensitive", "key"])
) }}
),

sqlanon_assigned as (
{{ sqlanon.select_assigned(
    stacked="sqlanon_stacked", sizes="sqlanon_sizes",
    columns=sqlanon.aliases_of(columns, ["interval", "set", "sensitive", "insensitive"])
) }}
),

sqlanon_boxes as (
{{ sqlanon.select_boxes(assigned="sqlanon_assigned", quasi_identifiers=sqlanon.aliases_of(columns, ["interval"])) }}
),

{%- for attribute in sqlanon.aliases_of(columns, ["set"]) %}

sqlanon_sets_{{ attribute }} as (
{{ sqlanon.select_sets(assigned="sqlanon_assigned", domain="sqlanon_domain_" ~ attribute, attribute=attribute) }}
),
{%- endfor %}

sqlanon_recoded as (
{{ sqlanon.select_recoded(
    boxes="sqlanon_boxes", domains=sqlanon.relations_of(columns, ["interval", "set"], "sqlanon_domain_"),
    published=sqlanon.columns_of(columns, ["published"]), sets=sqlanon.relations_of(columns, ["set"], "sqlanon_sets_")
) }}
),

sqlanon_ordered as (
{{ sqlanon.select_ordered(
    assigned="sqlanon_assigned", recoded="sqlanon_recoded", insensitive=sqlanon.columns_of(columns, ["insensitive"]),
    sensitive=sqlanon.columns_of(columns, ["sensitive"])
) }}
),

sqlanon_release as (
{{ sqlanon.select_release(
    ordered="sqlanon_ordered", recoded="sqlanon_recoded",
    domains=sqlanon.relations_of(columns, ["sensitive"], "sqlanon_domain_"),
    insensitive=sqlanon.columns_of(columns, ["insensitive"]), published=sqlanon.columns_of(columns, ["published"]),
    sensitive=sqlanon.columns_of(columns, ["sensitive"])
) }}
)
{%- endmacro %}
