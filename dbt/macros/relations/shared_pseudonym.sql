{# Written from sql_templates/macros/pseudonym.sql.j2; change that, and write this anew. #}
{# A key that a session has, in hexadecimal digits; NULL where it has none. #}
{% macro secret(relation) -%}
getvariable({{ sqlanon.literal(relation.name) }})
{%- endmacro %}
{# HMAC-SHA-256 (RFC 2104) of a value's text, in hexadecimal digits; NULL of NULL. #}
{% macro pseudonym(inner, outer, value) -%}
sha256(unhex({{ outer }}) || unhex(sha256(unhex({{ inner }}) || encode(cast({{ value }} as varchar)))))
{%- endmacro %}