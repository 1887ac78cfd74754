{# Written from sql_templates/source/records.sql.j2; change that, and write this anew. #}
{% macro select_records(source, columns) %}
-- relation: records
-- grain: one row per record of the source
-- inputs: source
-- outputs: q*|s*|x*|k*|w*|g*|p*|b*|t*
-- paper: none
{# The declared columns under short names, so that no later step meets a name of the user's. #}
{# q1, q2, … quasi-identifiers, s1, … sensitive attributes, x1, … insensitive ones and the text that
   pseudonyms are made of later, k1, … the key and what tells apart values of the last two that are equal
   and have other bytes, w1, … whom a record is about, g1, … what models read and no release shows, t1, … the text of names
   that numbers are drawn by. #}
select
{%- for column in columns %}
{%- if column.as_text is defined %}
    cast({{ sqlanon.known(column, ("source." ~ (sqlanon.ident(column.name)))) }} as {{ dbt.type_string() }}) as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- elif column.tie %}
    {{ sqlanon.tie_breaker(column.tie, ("source." ~ (sqlanon.ident(column.name)))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- else %}
    {{ sqlanon.known(column, sqlanon.by_bytes(column.kind, ("source." ~ (sqlanon.ident(column.name))))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endif %}
{%- endfor %}
from {{ source }} as source
{% endmacro %}
