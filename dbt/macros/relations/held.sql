{# Written from sql_templates/privacy/held.sql.j2; change that, and write this anew. #}
{% macro select_held(models) %}
-- relation: held
-- grain: one row per declared model and equivalence class
-- inputs: model_*
-- outputs: model, class_id, holds
-- paper: none
-- The one place that decides: whether what was measured in a class is within what is asked for (1)
-- or not (0). Amounts, scales and thresholds are whole numbers, multiplied crosswise. A value that
-- is not finite keeps no bound: only of finite numbers is the difference from themselves 0. A value
-- without end has scale 0, but for an amount of 0.
{%- for model in models %}
select
    {{ model.number }} as model, measured.class_id,
    case when {{ sqlanon.finite("measured.amount", "measured.scale") }} and {{ sqlanon.within(model.bound, "measured.amount", "measured.scale") }} then 1 else 0 end as holds
from {{ model.relation }} as measured
{%- if not loop.last %}
union all
{%- endif %}
{%- endfor %}
{% endmacro %}
