{# Written from sql_templates/source/holders.sql.j2; change that, and write this anew. #}
{% macro select_holders(source, identifier, person) %}
-- relation: holders
-- grain: one row
-- inputs: source
-- outputs: used, holders
-- paper: none
-- How many values an identifier has, and how many records hold them, or where it is known whom a
-- record is about, how many persons; NULL is not counted. Counted in two steps, which spill to disk
-- where memory is short; a count of distinct values in one would not.
with named as (
    select{% if person %} distinct{% endif +%}
        {{ sqlanon.known(identifier, ("source." ~ (sqlanon.ident(identifier.name)))) }} as value{{ sqlanon.comma_if(person) }}
{%- for column in person %}
        {{ sqlanon.known(column, ("source." ~ (sqlanon.ident(column.name)))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from {{ source }} as source
),

held as (
    select count(*) as holders
    from named
    where named.value is not null
    group by named.value
)

select
    count(*) as used,
    cast(coalesce(sum(held.holders), 0) as bigint) as holders
from held
{% endmacro %}
