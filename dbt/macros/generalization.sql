{# Generalization inside any model: the labels that sqlanon run gives at a level of a hierarchy.

   What stands for a value depends on that value alone, so that the labels of two builds mean the same.
   Whether the classes that come of them are large enough, the package's tests say. #}

{# A column as labels of groups: an expression for a SELECT list.

   One of: bands, the width of bands of numbers, [20, 30), or of whole numbers, [20, 29]; prefix, how many
   leading characters of a text stay; dates, year, quarter, month or week; groups, a mapping of each label to
   its values, where * stands for what is in none. NULL stays NULL. #}
{% macro generalize(column, bands=none, prefix=none, dates=none, groups=none, whole_numbers=false) -%}
{%- set ways = {"bands": bands, "prefix": prefix, "dates": dates, "groups": groups} -%}
{%- set given = [] -%}
{%- for name, value in ways.items() if value is not none -%}{%- do given.append(name) -%}{%- endfor -%}
{%- if given | length != 1 -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: generalize takes one of bands, prefix, dates and groups for " ~ column ~ ", not "
    ~ (given | join(" and ") if given else "none")
) }}
{%- endif -%}
{%- set name = sqlanon.ident(column) -%}
{%- if given[0] == "bands" -%}
{{ sqlanon.in_bands(name, sqlanon.whole(bands, "bands"), whole_numbers) }}
{%- elif given[0] == "prefix" -%}
rpad(
    left(cast({{ name }} as {{ dbt.type_string() }}), {{ sqlanon.whole(prefix, "prefix") }}),
    cast(length(cast({{ name }} as {{ dbt.type_string() }})) as integer),
    '*'
)
{%- elif given[0] == "dates" -%}
{{ sqlanon.in_periods(name, dates) }}
{%- else -%}
{{ sqlanon.in_groups(name, groups) }}
{%- endif -%}
{%- endmacro %}

{% macro in_bands(name, width, whole_numbers) -%}
{%- set floored -%} cast(floor(cast({{ name }} as decimal(38, 9))) as decimal(38, 0)) {%- endset -%}
{%- set low -%} ({{ floored }} - (({{ floored }} % {{ width }}) + {{ width }}) % {{ width }}) {%- endset -%}
'[' || cast({{ low }} as {{ dbt.type_string() }}) || ', ' ||
{%- if whole_numbers %} cast({{ low }} + {{ width - 1 }} as {{ dbt.type_string() }}) || ']'
{%- else %} cast({{ low }} + {{ width }} as {{ dbt.type_string() }}) || ')'
{%- endif -%}
{%- endmacro %}

{% macro in_periods(name, dates) -%}
{%- set lengths = {"year": "1 year", "quarter": "3 months", "month": "1 month", "week": "7 days"} -%}
{%- if dates not in lengths -%}
{{ exceptions.raise_compiler_error("sqlanon: dates must be year, quarter, month or week, not " ~ dates) }}
{%- endif -%}
'[' || cast(cast(date_trunc('{{ dates }}', {{ name }}) as date) as {{ dbt.type_string() }}) || ', ' || cast(
    cast(date_trunc('{{ dates }}', {{ name }}) + interval '{{ lengths[dates] }}' - interval '1 day' as date)
    as {{ dbt.type_string() }}
) || ']'
{%- endmacro %}

{% macro in_groups(name, groups) -%}
{%- if groups is not mapping or not groups -%}
{{ exceptions.raise_compiler_error("sqlanon: groups must map each label to a list of values") }}
{%- endif -%}
case
    when {{ name }} is null then null
{%- for label, values in groups.items() %}
    when cast({{ name }} as {{ dbt.type_string() }}) in (
        {%- for value in sqlanon.listed(values, "the group " ~ label) -%}
        {{ sqlanon.literal(value | string) }}{{ ", " if not loop.last }}
        {%- endfor -%}
    ) then {{ sqlanon.literal(label | string) }}
{%- endfor %}
    else '*'
end
{%- endmacro %}

{# The rows of a relation, or of a CTE by its name, whose values in some columns at least k rows share:
   a SELECT. NULL is a value. #}
{% macro suppress_small_groups(relation, columns, k) -%}
{%- set names = sqlanon.listed(columns, "columns") -%}
select kept.*
from {{ relation }} as kept
inner join (
    select
{%- for name in names %}
        counted.{{ sqlanon.ident(name) }}{{ "," if not loop.last }}
{%- endfor %}
    from {{ relation }} as counted
    group by {% for name in names %}counted.{{ sqlanon.ident(name) }}{{ ", " if not loop.last }}{% endfor %}
    having count(*) >= {{ sqlanon.whole(k, "k") }}
) as large_enough
    on
{%- for name in names %}
        {{ "and " if not loop.first }}kept.{{ sqlanon.ident(name) }} is not distinct from large_enough.{{ sqlanon.ident(name) }}
{%- endfor %}
{%- endmacro %}
