{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro default__at_once() -%} {{ return(false) }} {%- endmacro %}

{% macro default__double() -%} double {%- endmacro %}

{% macro default__holds(said) -%} cast({{ said }} as boolean) {%- endmacro %}

{% macro default__joined(text) -%} string_agg({{ text }}, '; ') {%- endmacro %}

{% macro default__cased(name) -%} {{ return(name) }} {%- endmacro %}

{% macro default__settle_work_model() -%}{%- endmacro %}

{% macro default__refuse_logarithms(test) -%}{%- endmacro %}

{% macro default__withhold(relation) -%}{%- endmacro %}

{% macro default__keep_readers(relation) -%}{%- endmacro %}

{% macro default__settle_readers() -%}{%- endmacro %}
