{# Written from sql_templates/measure/asked_metrics.sql.j2; change that, and write this anew. #}
{% macro select_asked_metrics(classes, ledger, figures, model, models) %}
-- relation: metrics
-- grain: one row per declared model, and figure of what was left out
-- inputs: classes, model_*, ledger?
-- outputs: metric, attribute, value, threshold, passed, failing_classes, failing_records, direction, range, sentence
-- paper: none
-- The value that every declared model reaches in its worst class, and the classes that violate it.
{# k is held to how many records a class has. Other models have an amount over a scale. #}
{%- if models | rejectattr("sized") | list %}
-- Whole numbers are multiplied crosswise, so a verdict is exact. A value that is not finite keeps no bound.
{%- endif %}
{%- set alone = models | length == 1 and not figures %}
with held as (
{%- for model in models %}
{%- set number = ("" if alone else model.number ~ " as number, ") %}
{# Attributes that are measured together, and held to the same. #}
{%- set alike = models | selectattr("attribute_number") | selectattr("relation", "equalto", model.relation) | selectattr("bound", "equalto", model.bound) | list %}
{%- if not alike or alike[0].number == model.number %}
{%- if not loop.first %}
    union all
{%- endif %}
{%- if model.sized %}
    select {{ number }}classes.class_id, cast(classes.records as {{ sqlanon.double() }}) as value, {% if model.bound is none %}1{% else %}case when classes.records >= {{ model.bound.numerator }} then 1 else 0 end{% endif %} as holds
    from {{ classes }} as classes
{%- else %}
    select {% if alike | length > 1 %}case measured.attribute{% for one in alike %} when {{ one.attribute_number }} then {{ one.number }}{% endfor %} end as number, {% else %}{{ number }}{% endif %}measured.class_id, cast(measured.value as {{ sqlanon.double() }}) as value, {% if model.bound is none %}1{% else %}case when {{ sqlanon.finite("measured.amount", "measured.scale") }} and {{ sqlanon.within(model.bound, "measured.amount", "measured.scale") }} then 1 else 0 end{% endif %} as holds
    from {{ model.relation }} as measured
{%- if alike %}
    where measured.attribute in ({% for one in alike %}{{ one.attribute_number }}{{ sqlanon.comma_space(loop) }}{% endfor %})
{%- endif %}
{%- endif %}
{%- endif %}
{%- endfor %}
)

{%- if alone %}
{%- set model = models[0] %}
select
    {{ sqlanon.literal(model.metric) }} as metric,
    cast({{ sqlanon.literal(model.attribute) }} as {{ dbt.type_string() }}) as attribute,
{%- if model.worst == "least" %}
    min(held.value) as value,
{%- else %}
    case when count(held.value) = count(*) then max(held.value) end as value,
{%- endif %}
    cast({{ sqlanon.literal(model.threshold) }} as {{ dbt.type_string() }}) as threshold,
{%- if model.bound is none %}
    cast(null as boolean) as passed,
{%- else %}
    coalesce(min(held.holds) = 1, false) as passed,
{%- endif %}
    cast(sum(1 - held.holds) as bigint) as failing_classes,
    cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records,
    cast({{ sqlanon.literal(model.direction) }} as {{ dbt.type_string() }}) as direction,
    cast({{ sqlanon.literal(model.range) }} as {{ dbt.type_string() }}) as range,
    cast({{ sqlanon.literal(model.sentence) }} as {{ dbt.type_string() }}) as sentence
from held
inner join {{ classes }} as classes
    on held.class_id = classes.class_id
{%- else %}
select
    asked.metric, cast(asked.attribute as {{ dbt.type_string() }}) as attribute,
    case
{%- if figures %}
        when asked.worst = 'records' then cast(max(ledger.records_suppressed) as {{ sqlanon.double() }})
        when asked.worst = 'share' then cast(max(ledger.records_suppressed) as {{ sqlanon.double() }}) / nullif(max(ledger.records_in), 0)
{%- endif %}
        when asked.worst = 'least' then min(held.value)
        when count(held.value) = count(*) then max(held.value)
    end as value,
    cast(asked.threshold as {{ dbt.type_string() }}) as threshold,
    case when asked.bounded = 1 then coalesce(min(held.holds) = 1, false) end as passed,
    cast(sum(1 - held.holds) as bigint) as failing_classes,
    cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records,
    asked.direction, asked.range, asked.sentence
from (
    values
{%- for one in models + figures %}
    ({{ one.number }}, {{ sqlanon.literal(one.metric) }}, {{ sqlanon.literal(one.attribute) }}, {{ sqlanon.literal(one.worst) }}, {{ sqlanon.literal(one.threshold) }}, {{ 0 if one.bound is none else 1 }}, {{ sqlanon.literal(one.direction) }}, {{ sqlanon.literal(one.range) }}, {{ sqlanon.literal(one.sentence) }}){{ sqlanon.comma(loop) }}
{%- endfor %}
) as asked (number, metric, attribute, worst, threshold, bounded, direction, range, sentence)
left join held on asked.number = held.number
left join {{ classes }} as classes on held.class_id = classes.class_id
{%- if figures %}
cross join {{ ledger }} as ledger
{%- endif %}
group by asked.number, asked.metric, asked.attribute, asked.worst, asked.threshold, asked.bounded, asked.direction, asked.range, asked.sentence
order by asked.number
{%- endif %}
{% endmacro %}
