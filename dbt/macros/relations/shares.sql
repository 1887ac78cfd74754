{# Written from sql_templates/insensitive/shares.sql.j2; change that, and write this anew. #}
{% macro select_shares(k, shares) %}
-- relation: shares
-- grain: one row per insensitive column, all of them together, and pair with a quasi-identifier
-- inputs: held_*, determined_*
-- outputs: number, metric, attribute, value, threshold, failing_records
-- paper: none
-- The share of records that an insensitive column points at by itself: rare_share, in values held by
-- fewer than k records; determined_share, whose quasi-identifier it gives back beyond chance. A column
-- that the spec accepts by name is held to no limit, and neither are all columns together.
with found as (
{%- for share in shares %}
    select
        {{ share.number }}{% if share.pairs %} + determined.number{% endif %} as number, {{ sqlanon.literal(share.metric) }} as metric,
        cast({{ sqlanon.literal(share.threshold) }} as {{ dbt.type_string() }}) as threshold, {{ share.limit.numerator }} as numerator, {{ share.limit.denominator }} as denominator,
{%- if share.pairs %}
        case determined.number
{%- for pair in share.pairs %}
            when {{ loop.index }} then {{ sqlanon.literal(pair) }}
{%- endfor %}
        end as attribute,
        greatest(determined.determined - determined.by_chance, 0) as records, determined.records as whole
    from {{ share.relation }} as determined
{%- else %}
        {{ sqlanon.literal(share.attribute) }} as attribute,
        cast(coalesce(sum(case when held.records < {{ k }} then held.records end), 0) as bigint) as records,
        cast(sum(held.records) as bigint) as whole
    from {{ share.relation }} as held
{%- endif %}
{%- if not loop.last %}
    union all
{%- endif %}
{%- endfor %}
)

select
    found.number, found.metric, found.attribute, round(cast(found.records as {{ sqlanon.double() }}) / nullif(found.whole, 0), 9) as value, found.threshold,
    case
        when found.threshold is null then null
        when found.records * found.denominator > found.whole * found.numerator then found.records
        else 0
    end as failing_records
from found
{% endmacro %}
