{# Written from sql_templates/privacy/delta_disclosure.sql.j2; change that, and write this anew. #}
{% macro select_delta_disclosure(classes, class_values, positions, natural) %}
-- relation: delta_disclosure
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Brickell & Shmatikov 2008, definition 3
-- By what factor the share of a value in the class is above or below that in the table, whichever is
-- greatest; the value is its logarithm. Where a value of the table is missing the factor has no end: its
-- scale is 0. Quotients of counts below 2^26 keep their order as doubles; the factor itself is of whole
-- numbers.
with reference as (
    select
        cast(sum(positions.records) as bigint) as records,
        sum(case when positions.records > 0 then 1 else 0 end) as domain_size
    from {{ positions }} as positions
),

shares as (
    select
        classes.class_id,
        classes.records as class_records,
        class_values.code,
        class_values.records,
        positions.records as frequency,
        cast(class_values.records as {{ sqlanon.double() }}) / positions.records as ratio
    from {{ class_values }} as class_values
    inner join {{ classes }} as classes
        on class_values.class_id = classes.class_id
    inner join {{ positions }} as positions
        on class_values.code = positions.code
),

ranked as (
    select
        shares.class_id,
        shares.class_records,
        shares.records,
        shares.frequency,
        row_number() over (partition by shares.class_id order by shares.ratio desc, shares.code asc) as from_above,
        row_number() over (partition by shares.class_id order by shares.ratio asc, shares.code asc) as from_below
    from shares
),

extremes as (
    select
        ranked.class_id,
        ranked.class_records,
        count(*) as values_present,
        max(case when ranked.from_above = 1 then ranked.records end) as most,
        max(case when ranked.from_above = 1 then ranked.frequency end) as most_frequency,
        max(case when ranked.from_below = 1 then ranked.records end) as least,
        max(case when ranked.from_below = 1 then ranked.frequency end) as least_frequency
    from ranked
    group by ranked.class_id, ranked.class_records
),

factors as (
    select
        extremes.class_id,
        extremes.values_present,
        reference.domain_size,
        cast(extremes.most as decimal(38, 0)) * reference.records as above,
        cast(extremes.most_frequency as decimal(38, 0)) * extremes.class_records as above_scale,
        cast(extremes.least_frequency as decimal(38, 0)) * extremes.class_records as below,
        cast(extremes.least as decimal(38, 0)) * reference.records as below_scale
    from extremes
    cross join reference
),

greatest_factors as (
    select
        factors.class_id,
        case when factors.above * factors.below_scale >= factors.below * factors.above_scale then factors.above else factors.below end
            as amount,
        case
            when factors.values_present < factors.domain_size then 0
            when factors.above * factors.below_scale >= factors.below * factors.above_scale then factors.above_scale
            else factors.below_scale
        end as scale
    from factors
)

select
    greatest_factors.class_id,
    round(
        ln(cast(greatest_factors.amount as {{ sqlanon.double() }}) / nullif(cast(greatest_factors.scale as {{ sqlanon.double() }}), 0)){% if not natural %} / ln(cast(2 as {{ sqlanon.double() }})){% endif %},
        9
    ) as value,
    greatest_factors.amount,
    greatest_factors.scale
from greatest_factors
{% endmacro %}
