{# Stack & Deal as one SELECT: the records of a relation, anonymized.

   Every class gets at least k records and nearly the same hand of sensitive values. Numbers and dates
   are published as an interval, anything else as a set; a mapping of column to interval or set says
   otherwise. Columns not named are not released. The key names a record, breaks the last ties and is
   not released. For hierarchies, several distances and the gate: sqlanon compile --dbt. #}
{% macro stack_and_deal(relation, quasi_identifiers, sensitive, k, insensitive=[], key=[], stack="frequency", seed=0) %}
{%- do sqlanon.refuse_a_part() -%}
{%- set least = sqlanon.whole(k, "k") -%}
{%- if stack not in ("frequency", "value", "snake") -%}
{{ exceptions.raise_compiler_error("sqlanon: stack must be frequency, value or snake, not " ~ stack) }}
{%- endif -%}
{%- set forms = sqlanon.published_forms(relation, quasi_identifiers) -%}
{%- set read, published = [], [] -%}
{%- for name in sqlanon.listed(quasi_identifiers, "quasi_identifiers") -%}
{%- set alias, form = "q" ~ loop.index, forms[name] -%}
{%- do read.append({"name": name, "alias": alias, "role": form}) -%}
{%- do published.append({
    "name": name,
    "alias": "p" ~ loop.index,
    "role": "published",
    "attribute": alias,
    "written": "found" if form == "set" else form,
}) -%}
{%- endfor -%}
{%- set beside = sqlanon.aliased(sqlanon.listed(sensitive, "sensitive"), "s", "sensitive")
    + sqlanon.aliased([insensitive] if insensitive is string else insensitive, "x", "insensitive") -%}
{%- set keys = sqlanon.aliased([key] if key is string else key, "k", "key") -%}
with sqlanon_read as (
{{ sqlanon.everything(relation) }}
),

{{ sqlanon.plan_of_dealing(read + beside + keys + published, least, stack, seed) }}

-- In the order of what is published: where a row stands tells nothing that its cells do not.
{%- set released = published + beside %}
select
{%- for column in released %}
    released.{{ sqlanon.ident(column.name) }}{{ "," if not loop.last }}
{%- endfor %}
from sqlanon_release as released
order by
{%- for column in released %}
    released.{{ sqlanon.ident(column.name) }}{{ "," if not loop.last }}
{%- endfor %}
{% endmacro %}

{# How each quasi-identifier is published: as declared, or by the type of its column. #}
{% macro published_forms(relation, quasi_identifiers) -%}
{%- set forms, measurable = {}, [] -%}
{%- if execute and quasi_identifiers is not mapping -%}
{%- set found = adapter.get_columns_in_relation(relation) -%}
{%- for column in found if modules.re.match(
    "u?(tiny|small|big|huge)?int(eger|[0-9])?( |$)|decimal|numeric|float|double|real|date|timestamp",
    column.dtype | lower
) -%}
{%- do measurable.append(column.name) -%}
{%- endfor -%}
{%- for name in sqlanon.listed(quasi_identifiers, "quasi_identifiers") if found and name not in found | map(attribute="name") -%}
{{ exceptions.raise_compiler_error("sqlanon: " ~ relation ~ " has no column " ~ name) }}
{%- endfor -%}
{%- endif -%}
{%- for name in sqlanon.listed(quasi_identifiers, "quasi_identifiers") -%}
{%- set form = quasi_identifiers[name] if quasi_identifiers is mapping else "interval" if name in measurable else "set" -%}
{%- if form not in ("interval", "set") -%}
{{ exceptions.raise_compiler_error("sqlanon: " ~ name ~ " is published as interval or set, not as " ~ form) }}
{%- endif -%}
{%- do forms.update({name: form}) -%}
{%- endfor -%}
{{ return(forms) }}
{%- endmacro %}
