{# Written from sql_templates/macros/within.sql.j2; change that, and write this anew. #}
{# That an amount over a scale keeps a bound, decided crosswise and so exactly: at least or at most
   the bound, or strictly so. #}
{% macro within(bound, amount, scale) -%}
{{ amount }} * {{ bound.denominator }}
{%- if bound.least %} >{% else %} <{% endif %}{% if not bound.strict %}={% endif %} {{ scale }} * {{ bound.numerator }}
{%- endmacro %}