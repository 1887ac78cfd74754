{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro snowflake__at_once() -%} {{ return(false) }} {%- endmacro %}

{% macro snowflake__double() -%} double {%- endmacro %}

{% macro snowflake__holds(said) -%} cast({{ said }} as boolean) {%- endmacro %}

{% macro snowflake__joined(text) -%} nullif(listagg({{ text }}, '; '), '') {%- endmacro %}

{% macro snowflake__cased(name) -%}
{%- set is_plain = modules.re.fullmatch("[a-z_][a-z0-9_$]*", name) -%}
{{ return(name.upper() if is_plain else name) }}
{%- endmacro %}

{% macro snowflake__settle_work_model() -%}
{{ config(pre_hook=[
    "alter session set TIMEZONE = 'UTC' DATE_OUTPUT_FORMAT = 'YYYY-MM-DD' TIMESTAMP_NTZ_OUTPUT_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9' TIMESTAMP_LTZ_OUTPUT_FORMAT = 'YYYY-MM-DD HH24:MI:SS.FF9' BINARY_OUTPUT_FORMAT = 'HEX' WEEK_START = 1 QUOTED_IDENTIFIERS_IGNORE_CASE = false"
]) }}
{%- endmacro %}

{% macro snowflake__refuse_logarithms(test) -%}{%- endmacro %}

{% macro snowflake__withhold(relation) -%}{%- endmacro %}

{% macro snowflake__keep_readers(relation) -%}{%- endmacro %}

{% macro snowflake__settle_readers() -%}{%- endmacro %}
