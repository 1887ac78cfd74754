{# Written from sql_templates/release/boxes.sql.j2; change that, and write this anew. #}
{% macro select_boxes(assigned, quasi_identifiers) %}
-- relation: boxes
-- grain: one row per class as formed
-- inputs: assigned
-- outputs: class_id, records, q*_low|q*_high
-- paper: none
-- The smallest and the largest code of every quasi-identifier in the class.
select
    assigned.class_id,
    count(*) as records{{ sqlanon.comma_if(quasi_identifiers) }}
{%- for attribute in quasi_identifiers %}
    min(assigned.{{ attribute }}) as {{ attribute }}_low,
    max(assigned.{{ attribute }}) as {{ attribute }}_high{{ sqlanon.comma(loop) }}
{%- endfor %}
from {{ assigned }} as assigned
group by assigned.class_id
{% endmacro %}
