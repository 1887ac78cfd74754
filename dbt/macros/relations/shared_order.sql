{# Written from sql_templates/macros/order.sql.j2; change that, and write this anew. #}
{# A seeded pseudo-random number of some integer columns, the same on every engine: a polynomial in
   the codes modulo the prime 2^31 - 1, in two parts so that the second can square the first. #}
{% macro digest(relation, columns, seed) -%}
{% for column in columns %}({% endfor %}cast({{ seed }} as bigint)
{%- for column in columns %} * 48271 + {{ relation }}.{{ column }}) % 2147483647{% endfor %}
{%- endmacro %}

{# x^5 permutes the residues modulo 2^31 - 1 and leaves nothing of the polynomial's order. #}
{% macro scatter(column) -%}
({{ column }} * {{ column }} % 2147483647) * ({{ column }} * {{ column }} % 2147483647) % 2147483647 * {{ column }} % 2147483647
{%- endmacro %}