{# The relations that every test measures, from `sqlanon_measured` on; a test adds its own.
   A sensitive attribute's values stand in the order given: natural, frequency, or a list. #}
{% macro measured_classes(relation, quasi_identifiers, sensitive=none, reference=none, order="natural", hierarchy=none) -%}
{%- set columns, published = [], [] -%}
{%- for name in sqlanon.listed(quasi_identifiers, "quasi_identifiers") -%}
{%- do published.append("p" ~ loop.index) -%}
{%- do columns.append({"name": name, "alias": "p" ~ loop.index}) -%}
{%- endfor -%}
{%- if sensitive is not none -%}
{%- if sensitive is not string -%}
{{ exceptions.raise_compiler_error("sqlanon: sensitive must name one column: give each a test of its own") }}
{%- endif -%}
{%- do columns.append({"name": sensitive, "alias": "s1"}) -%}
{%- endif -%}
with sqlanon_read as (
{{ sqlanon.everything(relation) }}
),

sqlanon_measured as (
{{ sqlanon.select_records("sqlanon_read", columns) }}
),

sqlanon_classes as (
{{ sqlanon.select_classes("sqlanon_measured", published) }}
)
{%- if sensitive is not none -%}
{%- set by_frequency = order is string and order == "frequency" -%}
{%- if order is string and order not in ("natural", "frequency") -%}
{{ exceptions.raise_compiler_error("sqlanon: order must be natural, frequency or a list of the values") }}
{%- endif -%}
,

sqlanon_reference_read as (
{{ sqlanon.everything(reference or relation) }}
),

sqlanon_reference as (
{{ sqlanon.select_records("sqlanon_reference_read", [{"name": sensitive, "alias": "s1"}]) }}
),

sqlanon_values_in_use as (
{{ sqlanon.select_values_in_use("sqlanon_reference", "s1") }}
),
{%- if hierarchy is not none %}

sqlanon_listed as (
{{ sqlanon.select_listed(height=hierarchy[0] | length, lines=hierarchy) }}
),

sqlanon_leaves as (
{{ sqlanon.select_leaves_listed(
    listed="sqlanon_listed", values_in_use="sqlanon_values_in_use", height=hierarchy[0] | length
) }}
),

sqlanon_domain as (
{{ sqlanon.select_domain(
    leaves="sqlanon_leaves", values_in_use="sqlanon_values_in_use", height=hierarchy[0] | length, telling=none
) }}
),
{%- elif order is string %}

sqlanon_domain as (
{{ sqlanon.select_domain_flat("sqlanon_values_in_use") }}
),
{%- else %}

sqlanon_listed as (
{{ sqlanon.select_listed_order(order) }}
),

sqlanon_domain as (
{{ sqlanon.select_domain_listed("sqlanon_listed", "sqlanon_values_in_use") }}
),
{%- endif %}

sqlanon_positions as (
{{ sqlanon.select_positions("sqlanon_domain", hierarchy[0] | length if hierarchy else 0, "frequency" if by_frequency else "code") }}
),

sqlanon_class_values as (
{{ sqlanon.select_class_values("sqlanon_measured", "sqlanon_classes", "sqlanon_positions", "s1", published) }}
),

sqlanon_unknown as (
{{ sqlanon.select_check_known_values("sqlanon_measured", "sqlanon_positions", "s1") }}
)
{%- endif -%}
{%- endmacro %}

{# What a test found, from what it measured in `sqlanon_measured_model`, held to a threshold of two
   whole numbers: counts and measures, never a cell. `worst` is `min` of what must be at least the
   threshold, `max` of what must be at most that. #}
{% macro findings(what, worst, threshold, unknown=false, strict=false) -%}
,

sqlanon_held as (
{{ sqlanon.select_held([{
    "place": 1,
    "relation": "sqlanon_measured_model",
    "bound": dict(threshold, least=worst == "min", strict=strict),
}]) }}
)

select
    cast({{ sqlanon.literal(what) }} as {{ dbt.type_string() }}) as finding,
    count(*) as findings,
    cast(sum(sqlanon_classes.records) as bigint) as records,
    cast({{ worst }}(sqlanon_measured_model.value) as {{ sqlanon.double() }}) as worst
from sqlanon_held
inner join sqlanon_measured_model
    on sqlanon_held.class_id = sqlanon_measured_model.class_id
inner join sqlanon_classes
    on sqlanon_held.class_id = sqlanon_classes.class_id
where sqlanon_held.holds = 0
having count(*) > 0
{%- if unknown %}
union all
select
    cast('values that the reference table does not hold' as {{ dbt.type_string() }}) as finding,
    sqlanon_unknown.unknown as findings,
    sqlanon_unknown.records,
    cast(null as {{ sqlanon.double() }}) as worst
from sqlanon_unknown
{%- endif -%}
{%- endmacro %}
