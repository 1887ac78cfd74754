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
select count(*) as used, cast(coalesce(sum(held.holders), 0) as bigint) as holders
from (
    select count(*) as holders
{%- if person %}
    from (
        select distinct
            {{ sqlanon.known(identifier, ("source." ~ (sqlanon.ident(identifier.name)))) }} as value,
{%- for column in person %}
            {{ sqlanon.known(column, ("source." ~ (sqlanon.ident(column.name)))) }} as {{ column.alias }}{{ sqlanon.comma(loop) }}
{%- endfor %}
        from {{ source }} as source
    ) as named
    where named.value is not null
    group by named.value
{%- else %}
    from {{ source }} as source
    where {{ sqlanon.known(identifier, ("source." ~ (sqlanon.ident(identifier.name)))) }} is not null
    group by {{ sqlanon.known(identifier, ("source." ~ (sqlanon.ident(identifier.name)))) }}
{%- endif %}
) as held
{% endmacro %}
