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
{%- set quasi_columns = sqlanon.listed(quasi_identifiers, "quasi_identifiers") -%}
{%- set roles = {
    "q": quasi_columns,
    "s": sqlanon.listed(sensitive, "sensitive"),
    "x": [insensitive] if insensitive is string else insensitive,
    "k": [key] if key is string else key,
} -%}
{%- set columns, aliases = [], {"q": [], "s": [], "x": [], "k": []} -%}
{%- for letter, names in roles.items() -%}
{%- for name in names -%}
{%- do aliases[letter].append(letter ~ loop.index) -%}
{%- do columns.append({"name": name, "alias": letter ~ loop.index}) -%}
{%- endfor -%}
{%- endfor -%}
{%- set forms = sqlanon.published_forms(relation, quasi_identifiers) -%}
{%- set published, bounded, sets, domains, positions = [], [], {}, {}, {} -%}
{%- for name in quasi_columns -%}
{%- set attribute = "q" ~ loop.index -%}
{%- do published.append({
    "name": name,
    "alias": "p" ~ loop.index,
    "attribute": attribute,
    "written": "found" if forms[name] == "set" else forms[name]
}) -%}
{%- if forms[name] == "set" -%}
{%- do sets.update({attribute: "sqlanon_sets_" ~ attribute}) -%}
{%- else -%}
{%- do bounded.append(attribute) -%}
{%- endif -%}
{%- endfor -%}
{%- set coordinates = aliases["q"] + aliases["s"] -%}
{%- set carried = aliases["x"] + aliases["k"] -%}
{%- for attribute in coordinates -%}
{%- do domains.update({attribute: "sqlanon_domain_" ~ attribute}) -%}
{%- endfor -%}
{%- for attribute in aliases["s"] -%}
{%- do positions.update({attribute: "sqlanon_positions_" ~ attribute}) -%}
{%- endfor -%}
with sqlanon_read as (
{{ sqlanon.everything(relation) }}
),

sqlanon_records as (
{{ sqlanon.select_records("sqlanon_read", columns) }}
),
{%- for attribute in coordinates %}

sqlanon_values_{{ attribute }} as (
{{ sqlanon.select_values_in_use("sqlanon_records", attribute) }}
),

{{ domains[attribute] }} as (
{{ sqlanon.select_domain_flat("sqlanon_values_" ~ attribute) }}
),
{%- endfor %}
{%- for attribute in aliases["s"] %}

{{ positions[attribute] }} as (
{{ sqlanon.select_positions(domains[attribute], 0, "code") }}
),
{%- endfor %}

sqlanon_coded as (
{{ sqlanon.select_coded("sqlanon_records", coordinates, carried, domains) }}
),

sqlanon_stack as (
{{ sqlanon.select_stack("sqlanon_records", stack, positions, aliases["s"]) }}
),

sqlanon_sizes as (
{{ sqlanon.select_sizes("sqlanon_stack", least) }}
),

sqlanon_stacked as (
{{ sqlanon.select_stacked(
    "sqlanon_coded",
    "sqlanon_stack",
    coordinates + carried,
    aliases["q"],
    seed,
    aliases["s"],
    aliases["q"] + carried
) }}
),

sqlanon_assigned as (
{{ sqlanon.select_assigned("sqlanon_stacked", "sqlanon_sizes", coordinates + aliases["x"]) }}
),

sqlanon_boxes as (
{{ sqlanon.select_boxes("sqlanon_assigned", bounded) }}
),
{%- for attribute, relation_of_sets in sets.items() %}

{{ relation_of_sets }} as (
{{ sqlanon.select_sets("sqlanon_assigned", domains[attribute], attribute) }}
),
{%- endfor %}

sqlanon_recoded as (
{{ sqlanon.select_recoded("sqlanon_boxes", domains, published, sets) }}
),
{%- set as_they_are = columns | selectattr("alias", "in", aliases["x"]) | list -%}
{%- set sensitive_columns = columns | selectattr("alias", "in", aliases["s"]) | list %}

sqlanon_ordered as (
{{ sqlanon.select_ordered("sqlanon_assigned", "sqlanon_recoded", as_they_are, sensitive_columns) }}
),

sqlanon_release as (
{{ sqlanon.select_release("sqlanon_ordered", "sqlanon_recoded", domains, as_they_are, published, sensitive_columns) }}
)

-- In the order of what is published: where a row stands tells nothing that its cells do not.
{%- set released = published + sensitive_columns + as_they_are %}
select
{%- for column in released %}
    released.{{ adapter.quote(column.name) }}{{ "," if not loop.last }}
{%- endfor %}
from sqlanon_release as released
order by
{%- for column in released %}
    released.{{ adapter.quote(column.name) }}{{ "," if not loop.last }}
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
