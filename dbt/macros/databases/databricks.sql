{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro databricks__at_once() -%} {{ return(false) }} {%- endmacro %}

{% macro databricks__double() -%} double {%- endmacro %}

{% macro databricks__holds(said) -%} if({{ said }} = 'true', true, raise_error({{ said }})) {%- endmacro %}

{% macro databricks__joined(text) -%} nullif(array_join(collect_list({{ text }}), '; '), '') {%- endmacro %}

{% macro databricks__cased(name) -%} {{ return(name) }} {%- endmacro %}

{% macro databricks__settle_work_model() -%}
{{ config(pre_hook=[
    "set ansi_mode = true",
    "set time zone 'UTC'"
]) }}
{%- endmacro %}

{% macro databricks__refuse_logarithms(test) -%}{%- endmacro %}

{% macro databricks__withhold(relation) -%}{%- endmacro %}

{% macro databricks__keep_readers(relation) -%}{%- endmacro %}

{% macro databricks__settle_readers() -%}{%- endmacro %}
