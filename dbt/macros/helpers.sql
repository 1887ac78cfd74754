{# What templates call to join the parts of a list that a loop writes out, and to quote. #}

{% macro comma(loop, more=false) -%}
{{ return("," if not loop.last or more else "") }}
{%- endmacro %}

{% macro comma_space(loop) -%}
{{ return("" if loop.last else ", ") }}
{%- endmacro %}

{% macro comma_if(condition) -%}
{{ return("," if condition else "") }}
{%- endmacro %}

{% macro and_if(condition) -%}
{{ return("and " if condition else "") }}
{%- endmacro %}

{% macro plus_if(condition) -%}
{{ return("+ " if condition else "") }}
{%- endmacro %}

{% macro plus_between(loop) -%}
{{ return("" if loop.last else " + ") }}
{%- endmacro %}

{% macro union_all(loop) -%}
{{ return("" if loop.last else "    union all") }}
{%- endmacro %}

{# A column's name, quoted; in capitals where one that needs no quotes means that. An adapter leaves a quote within a
   name as it is, which would end it. #}
{% macro ident(name) -%}
{%- set mark = adapter.quote("")[:1] -%}
{{ return(adapter.quote(adapter.dispatch("cased", "sqlanon")(name).replace(mark, mark ~ mark))) }}
{%- endmacro %}

{# Text, a whole number, or nothing as a constant. #}
{% macro literal(value) -%}
{%- if value is none -%}{{ return("null") }}{%- endif -%}
{{ return(value | string if value is number else dbt.string_literal(dbt.escape_single_quotes(value))) }}
{%- endmacro %}
