{# Written from sql_templates/source/records.sql.j2; change that, and write this anew. #}
{% macro select_records(source, columns) %}
-- relation: records
-- grain: one row per record of the source
-- inputs: source, secret_*
-- outputs: q*|s*|x*|k*|w*|g*|p*|b*
-- paper: none
-- The declared columns under short names, so that no later step meets a name of the user's:
-- q1, q2, … quasi-identifiers, s1, … sensitive attributes, x1, … insensitive ones and pseudonyms, which
-- are made here so that no later step meets what they stand for, k1, … the key and
-- what tells apart values of the last two that are equal and have other bytes, w1, … whom a record
-- is about, g1, … what persons guard.
select
{%- for column in columns %}
{%- if column.key is defined %}
    {{ sqlanon.pseudonym(sqlanon.secret(column.key.inner), sqlanon.secret(column.key.outer), sqlanon.known(column, ("source." ~ (sqlanon.ident(column.name))))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.tie %}
    {{ sqlanon.tie_breaker(column.tie, ("source." ~ (sqlanon.ident(column.name)))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- else %}
    {{ sqlanon.known(column, ("source." ~ (sqlanon.ident(column.name)))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endif %}
{%- endfor %}
from {{ source }} as source
{% endmacro %}
