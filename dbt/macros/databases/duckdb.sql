{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro duckdb__at_once() -%} {{ return(true) }} {%- endmacro %}

{% macro duckdb__double() -%} double {%- endmacro %}

{% macro duckdb__holds(said) -%} cast({{ said }} as boolean) {%- endmacro %}

{% macro duckdb__joined(text) -%} string_agg({{ text }}, '; ') {%- endmacro %}

{% macro duckdb__cased(name) -%} {{ return(name) }} {%- endmacro %}

{% macro duckdb__settle_work_model() -%}{%- endmacro %}

{% macro duckdb__refuse_logarithms(test) -%}{%- endmacro %}

{% macro duckdb__withhold(relation) -%}{%- endmacro %}

{% macro duckdb__keep_readers(relation) -%}{%- endmacro %}

{% macro duckdb__settle_readers() -%}{%- endmacro %}
