{# Written from sqlanon/sql/products.py; change that, and write this anew. #}
{% macro bigquery__at_once() -%} {{ return(false) }} {%- endmacro %}

{% macro bigquery__double() -%} float64 {%- endmacro %}

{% macro bigquery__holds(said) -%} if({{ said }} = 'true', true, error({{ said }})) {%- endmacro %}

{% macro bigquery__joined(text) -%} string_agg({{ text }}, '; ') {%- endmacro %}

{% macro bigquery__cased(name) -%} {{ return(name) }} {%- endmacro %}

{% macro bigquery__settle_work_model() -%}{%- endmacro %}

{% macro bigquery__refuse_logarithms(test) -%}{%- endmacro %}

{% macro bigquery__withhold(relation) -%}{%- endmacro %}

{% macro bigquery__keep_readers(relation) -%}{%- endmacro %}

{% macro bigquery__settle_readers() -%}{%- endmacro %}
