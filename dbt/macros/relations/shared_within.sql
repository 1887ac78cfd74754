{# Written from sql_templates/macros/within.sql.j2; change that, and write this anew. #}
{# That an amount over a scale keeps a bound, decided crosswise and so exactly: at least or at most
   the bound, or strictly so. #}
{% macro within(bound, amount, scale) -%}
{{ amount }} * {{ bound.denominator }}
{%- if bound.least %} >{% else %} <{% endif %}{% if not bound.strict %}={% endif %} {{ scale }} * {{ bound.numerator }}
{%- endmacro %}
{# That a measure is a number: only of finite numbers is the difference from themselves 0. A value without
   end has scale 0, but for an amount of 0. #}
{% macro finite(amount, scale) -%}
{{ amount }} - {{ amount }} = 0 and {{ scale }} - {{ scale }} = 0 and ({{ scale }} <> 0 or {{ amount }} = 0)
{%- endmacro %}