{# Written from sql_templates/measure/class_values.sql.j2; change that, and write this anew. #}
{% macro select_class_values(measured, classes, positions, attribute, published, tie_breaker) %}
-- relation: class_values
-- grain: one row per equivalence class and sensitive value present in it
-- inputs: measured, classes, positions
-- outputs: class_id, code, position, records
-- paper: none
-- Narrow columns: this is the largest relation of a measurement.
select
    classes.class_id, cast(positions.code as integer) as code, cast(positions.position as integer) as position, count(*) as records
from {{ measured }} as measured
inner join {{ classes }} as classes
    on
{%- for column in published %}
        {{ sqlanon.and_if(not loop.first) }}measured.{{ column }} is not distinct from classes.{{ column }}
{%- endfor %}
inner join {{ positions }} as positions
    on measured.{{ attribute }} is not distinct from positions.value{% if tie_breaker %} and {{ tie_breaker }}(measured.{{ attribute }}) is not distinct from {{ tie_breaker }}(positions.value){% endif %} and (positions.records > 0)
group by classes.class_id, positions.code, positions.position
{% endmacro %}
