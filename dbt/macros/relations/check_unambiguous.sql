{# Written from sql_templates/domains/check_unambiguous.sql.j2; change that, and write this anew. #}
{% macro select_check_unambiguous(nodes) %}
-- relation: check_unambiguous
-- grain: one row if a label of the hierarchy names several different groups
-- inputs: nodes
-- outputs: labels
-- paper: none
select count(*) as labels
from {{ nodes }} as nodes
where nodes.meanings > 1
having count(*) > 0
{% endmacro %}
