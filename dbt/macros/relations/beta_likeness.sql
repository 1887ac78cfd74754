{# Written from sql_templates/privacy/beta_likeness.sql.j2; change that, and write this anew. #}
{% macro select_beta_likeness(classes, class_values, positions, enhanced) %}
-- relation: beta_likeness
-- grain: one row per equivalence class
-- inputs: classes, class_values, positions
-- outputs: class_id, value, amount, scale
-- paper: Cao & Karras 2012, definitions 2 and 3
-- The greatest gain of a value: how much likelier it is in the class than in the table, relative to
-- that. The enhanced form also holds every gain to -ln of the share in the table, for any beta:
-- beyond that the scale is 0, as of a gain without end. Quotients of counts below 2^26 keep their
-- order as doubles; the gain itself is of whole numbers.
with reference as (
    select cast(sum(positions.records) as bigint) as records
    from {{ positions }} as positions
),

shares as (
    select
        classes.class_id,
        class_values.code,
        cast(class_values.records as decimal(38, 0)) * reference.records
        - cast(positions.records as decimal(38, 0)) * classes.records as gained,
        cast(positions.records as decimal(38, 0)) * classes.records as expected,
        cast(class_values.records as {{ sqlanon.double() }}) / positions.records as ratio{{ sqlanon.comma_if(enhanced) }}
{%- if enhanced %}
        ln(cast(reference.records as {{ sqlanon.double() }}) / positions.records) as most
{%- endif %}
    from {{ class_values }} as class_values
    inner join {{ classes }} as classes
        on class_values.class_id = classes.class_id
    inner join {{ positions }} as positions
        on class_values.code = positions.code
    cross join reference
),

gains as (
    select
        shares.class_id,
        shares.gained,
        shares.expected,
{%- if enhanced %}
        max(
            case when cast(shares.gained as {{ sqlanon.double() }}) / cast(shares.expected as {{ sqlanon.double() }}) > shares.most then 1 else 0 end
        ) over (partition by shares.class_id) as beyond,
{%- endif %}
        row_number() over (partition by shares.class_id order by shares.ratio desc, shares.code asc) as rank
    from shares
),

worst as (
    select
        gains.class_id,
        gains.gained,
{%- if enhanced %}
        case when gains.beyond = 0 then gains.expected else 0 end as expected
{%- else %}
        gains.expected
{%- endif %}
    from gains
    where gains.rank = 1
)

select
    worst.class_id,
    cast(worst.gained as {{ sqlanon.double() }}) / nullif(cast(worst.expected as {{ sqlanon.double() }}), 0) as value,
    worst.gained as amount,
    worst.expected as scale
from worst
{% endmacro %}
