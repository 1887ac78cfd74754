{# The relations that every test measures, from `sqlanon_release` on, the table itself; a test adds
   what measures its model, and what holds the classes to what is asked. A sensitive attribute's
   values stand in the order given: natural, frequency, or a list. #}
{% macro measured_classes(relation, quasi_identifiers, sensitive=none, reference=none, order="natural", hierarchy=none) -%}
{%- set columns = sqlanon.aliased(sqlanon.listed(quasi_identifiers, "quasi_identifiers"), "p", "published") -%}
{%- if sensitive is not none -%}
{%- if sensitive is not string -%}
{{ exceptions.raise_compiler_error("sqlanon: sensitive must name one column: give each a test of its own") }}
{%- elif order is string and order not in ("natural", "frequency") -%}
{{ exceptions.raise_compiler_error("sqlanon: order must be natural, frequency or a list of the values") }}
{%- endif -%}
{%- set columns = columns + sqlanon.aliased([sensitive], "s", "sensitive") -%}
with sqlanon_read as (
{{ sqlanon.everything(reference or relation) }}
),

sqlanon_release as (
{{ sqlanon.everything(relation) }}
),

{{ sqlanon.plan_of_classes(columns) }},

{{ sqlanon.plan_of_class_values(columns, order, hierarchy) }}
{%- else -%}
with sqlanon_release as (
{{ sqlanon.everything(relation) }}
),

{{ sqlanon.plan_of_classes(columns) }}
{%- endif -%}
{%- endmacro %}

{# What a test found, from what it measured in a relation and the classes that hold: counts and
   measures, never a cell. `worst` is `min` of what must be at least the threshold, `max` of what
   must be at most that. #}
{% macro findings(what, measured, worst, unknown=false) -%}
select
    cast({{ sqlanon.literal(what) }} as {{ dbt.type_string() }}) as finding,
    count(*) as findings,
    cast(sum(sqlanon_classes.records) as bigint) as records,
    cast({{ worst }}(measured.value) as {{ sqlanon.double() }}) as worst
from sqlanon_held
inner join {{ measured }} as measured
    on sqlanon_held.class_id = measured.class_id
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
