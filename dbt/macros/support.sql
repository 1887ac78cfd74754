{# What the macros written from templates need of dbt. #}

{# A number with a fraction, of 53 bits. #}
{% macro double() -%}
{{ return(adapter.dispatch("double", "sqlanon")()) }}
{%- endmacro %}

{# A relation as a SELECT, so that it can be given a name: with `where`, and with --empty, dbt has
   given it one already, and PostgreSQL takes but one. #}
{% macro everything(relation) -%}
select * from {{ relation }}
{%- endmacro %}

{# With --empty and --sample dbt builds a part of a table: it must not replace a whole one. #}
{% macro refuse_a_part() -%}
{%- set older = load_relation(this) if execute and (flags.EMPTY or flags.SAMPLE) -%}
{%- if older and run_query("select 1 from " ~ older ~ " limit 1") | length > 0 -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: " ~ this ~ " holds a release, and --empty or --sample would put a part of it in its "
    ~ "place: nothing was published"
) }}
{%- endif -%}
{%- endmacro %}

{# A list of columns; one name stands for a list of one. #}
{% macro listed(columns, what) -%}
{%- set names = [columns] if columns is string else columns | list -%}
{%- if not names -%}
{{ exceptions.raise_compiler_error("sqlanon: " ~ what ~ " must name a column at least") }}
{%- endif -%}
{{ return(names) }}
{%- endmacro %}

{# Columns as plans read them: each with its name, an alias of a letter and its place, and a role. #}
{% macro aliased(names, letter, role) -%}
{%- set columns = [] -%}
{%- for name in names -%}
{%- do columns.append({"name": name, "alias": letter ~ loop.index, "role": role}) -%}
{%- endfor -%}
{{ return(columns) }}
{%- endmacro %}

{# The columns of some roles, in their order. #}
{% macro columns_of(columns, roles) -%}
{{ return(columns | selectattr("role", "in", roles) | list) }}
{%- endmacro %}

{# Their aliases. #}
{% macro aliases_of(columns, roles) -%}
{{ return(sqlanon.columns_of(columns, roles) | map(attribute="alias") | list) }}
{%- endmacro %}

{# By alias, the relation that a plan makes of each of them. #}
{% macro relations_of(columns, roles, stem) -%}
{%- set relations = {} -%}
{%- for alias in sqlanon.aliases_of(columns, roles) -%}
{%- do relations.update({alias: stem ~ alias}) -%}
{%- endfor -%}
{{ return(relations) }}
{%- endmacro %}

{# A threshold as two whole numbers, exactly as it is written: 0.2, '0.2' or '1/5'. #}
{% macro fraction(value, what) -%}
{%- set text = value | string | trim -%}
{%- if not modules.re.fullmatch("[0-9]+([.][0-9]+|/[1-9][0-9]*)?", text) -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: " ~ what ~ " must be a number such as 0.2 or '1/5', not " ~ text
) }}
{%- endif -%}
{%- if "/" in text -%}
{{ return({"numerator": text.split("/")[0] | int, "denominator": text.split("/")[1] | int}) }}
{%- endif -%}
{%- set decimals = text.partition(".")[2] | length -%}
{{ return({"numerator": text.replace(".", "") | int, "denominator": 10 ** decimals}) }}
{%- endmacro %}

{# A whole number above zero. #}
{% macro whole(value, what) -%}
{%- if not modules.re.fullmatch("[1-9][0-9]*", value | string | trim) -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: " ~ what ~ " must be a whole number above zero, not " ~ value
) }}
{%- endif -%}
{{ return(value | string | trim | int) }}
{%- endmacro %}

{# Two whole numbers for one. #}
{% macro whole_bound(value, what) -%}
{{ return({"numerator": sqlanon.whole(value, what), "denominator": 1}) }}
{%- endmacro %}

{# Two whole numbers for a logarithm less one part in a billion, as none is exact and a class at equality
   is to pass: by Newton's method, as Jinja knows powers and no logarithm. #}
{% macro logarithm(value, what) -%}
{%- set exact = sqlanon.fraction(value, what) -%}
{%- set wanted = exact.numerator / exact.denominator -%}
{%- if wanted < 1 -%}
{{ exceptions.raise_compiler_error("sqlanon: " ~ what ~ " must be 1 at least, not " ~ value) }}
{%- endif -%}
{%- set found = namespace(root=0.0) -%}
{%- for step in range(100) -%}
{%- set power = 2.718281828459045 ** found.root -%}
{%- set found.root = found.root + 2 * (wanted - power) / (wanted + power) -%}
{%- endfor -%}
{{ return({"numerator": ((found.root - 0.000000001) * 10 ** 15) | round | int, "denominator": 10 ** 15}) }}
{%- endmacro %}

{# Two whole numbers for a power, rounded down where it is none. #}
{% macro power_of_2(value, what) -%}
{%- set exact = sqlanon.fraction(value, what) -%}
{%- if exact.numerator % exact.denominator == 0 -%}
{{ return({"numerator": 2 ** (exact.numerator // exact.denominator), "denominator": 1}) }}
{%- endif -%}
{{ return(sqlanon.rounded_down(2 ** (exact.numerator / exact.denominator))) }}
{%- endmacro %}

{% macro power_of_e(value, what) -%}
{%- set exact = sqlanon.fraction(value, what) -%}
{{ return(sqlanon.rounded_down(2.718281828459045 ** (exact.numerator / exact.denominator))) }}
{%- endmacro %}

{% macro rounded_down(number) -%}
{{ return({"numerator": (number * 10 ** 12) | int, "denominator": 10 ** 12}) }}
{%- endmacro %}

{# Raise where logarithms are rounded otherwise than the test expects. #}
{% macro refuse_logarithms(test) -%}
{%- do adapter.dispatch("refuse_logarithms", "sqlanon")(test) -%}
{%- endmacro %}

{# A distance that is none, or does not go with a hierarchy. #}
{% macro refuse_distance(distance, hierarchy) -%}
{%- if distance not in ("equal", "ordered", "hierarchical") -%}
{{ exceptions.raise_compiler_error(
    "sqlanon: distance must be equal, ordered or hierarchical, not " ~ distance
) }}
{%- elif (hierarchy is not none) != (distance == "hierarchical") -%}
{{ exceptions.raise_compiler_error("sqlanon: a hierarchy goes with distance: hierarchical, and it with one") }}
{%- endif -%}
{%- endmacro %}
