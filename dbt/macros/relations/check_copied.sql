{# Written from sql_templates/measure/check_copied.sql.j2; change that, and write this anew. #}
{% macro select_check_copied(records, classes, class_loss, apart, columns, given, held, in_order, pairs, spelled) %}
-- relation: check_copied
-- grain: one row per quasi-identifier and sensitive column that gives it back
-- inputs: records, classes, class_loss
-- outputs: attribute, reached, records
-- paper: none
-- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
-- of what the cell hides. Whether it is one is seen from which values come together, in different tuples of all
-- columns: a table that was loaded twice, or records that are alike, prove nothing.
{# One of three must be beyond chance.
   Same text, or one that begins with it as a finer code does: the values miss each other at most a twentieth as
   often as the commonest value of the quasi-identifier misses, which ten tuples at least do.
   Function: values of five tuples at least, whose quasi-identifier is one in 19 of 20 and would be so by chance
   in one of 1,000 at most; they are 30 tuples and a tenth of all, and give five different originals back.
   Order: nearly every value has one original, and these rise or fall with the values: they turn at most a
   twentieth as often as in a random order, where they would ten times at least, and their ranks agree. #}
with tuples as (
    select distinct {% for column, how in spelled.items() %}{{ how }}(records.{{ column }}) as {{ column }}_spelled, {% endfor %}{% for column in columns %}records.{{ column }}{{ sqlanon.comma_space(loop) }}{% endfor %}

    from {{ records }} as records
),

-- Every two values of a pair of columns; the other columns are NULL.
pairs as (
    select
        case
{%- for column in held %}
            when grouping(tuples.{{ column }}) = 0 then {{ loop.index0 * apart }}
{%- endfor %}
        end
        + case
{%- for column in given %}
            when grouping(tuples.{{ column }}) = 0 then {{ loop.index }}
{%- endfor %}
        end as number, cast(count(*) as {{ sqlanon.double() }}) as tuples, {% for column in held + given %}tuples.{{ column }}{% if column in spelled %}, tuples.{{ column }}_spelled{% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %},
        coalesce({% for column in held %}cast(tuples.{{ column }} as {{ dbt.type_string() }}){{ sqlanon.comma_space(loop) }}{% endfor %}) as held_label,
        coalesce({% for column in given %}cast(tuples.{{ column }} as {{ dbt.type_string() }}){{ sqlanon.comma_space(loop) }}{% endfor %}) as given_label
    from tuples
    group by
        grouping sets (
{%- for column in held %}
{%- set last_held = loop.last %}
{%- for one in given %}
            (tuples.{{ column }}{% if column in spelled %}, tuples.{{ column }}_spelled{% endif %}, tuples.{{ one }}){{ sqlanon.comma(loop, not last_held) }}
{%- endfor %}
{%- endfor %}
        )
),

-- The pairs of columns that may be copies: values with nearly one original have a tenth of the tuples, or the
-- two have the same text.
likely as (
    select held.number
    from (
        select
            pairs.number, sum(pairs.tuples) as tuples, max(pairs.tuples) as most,
            sum(case when substring(pairs.held_label, 1, length(pairs.given_label)) = pairs.given_label then pairs.tuples else 0 end) as same
        from pairs
        group by pairs.number, {% for column in held %}pairs.{{ column }}{% if column in spelled %}, pairs.{{ column }}_spelled{% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %}

    ) as held
    group by held.number
    having
        10 * sum(case when 20 * held.most >= 19 * held.tuples then held.most else 0 end) > sum(held.tuples)
        or 20 * sum(held.same) >= 19 * sum(held.tuples)
),

counted as (
    select
        pairs.number, pairs.tuples,{% for column in held + given %} pairs.{{ column }},{% if column in spelled %} pairs.{{ column }}_spelled,{% endif %}{% endfor %}

        sum(pairs.tuples) over (partition by pairs.number, {% for column in held %}pairs.{{ column }}{% if column in spelled %}, pairs.{{ column }}_spelled{% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %}) as of_held,
        sum(pairs.tuples) over (partition by pairs.number, {% for column in given %}pairs.{{ column }}{% if column in spelled %}, pairs.{{ column }}_spelled{% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %}) as of_given,
        sum(pairs.tuples) over (partition by pairs.number) as whole,
        case when pairs.held_label = pairs.given_label or (pairs.given_label <> '' and substring(pairs.held_label, 1, length(pairs.given_label)) = pairs.given_label) then pairs.tuples else 0 end as same
    from pairs
    inner join likely on pairs.number = likely.number
),

-- Values whose tuples nearly all have one original; both by their places in order.
telling as (
    select
        counted.number, counted.tuples, counted.of_held, counted.of_given, counted.whole,
        dense_rank() over (partition by counted.number order by {% for column in held %}counted.{{ column }} nulls first{% if column in spelled %}, counted.{{ column }}_spelled nulls first{% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %}) as held,
        dense_rank() over (partition by counted.number order by {% for column in given %}counted.{{ column }} nulls first{% if column in spelled %}, counted.{{ column }}_spelled nulls first{% endif %}{{ sqlanon.comma_space(loop) }}{% endfor %}) as given
    from counted
    where 20 * counted.tuples >= 19 * counted.of_held
),

{%- if in_order %}
ranked as (
    select
        telling.number, telling.given, telling.tuples, telling.whole,
        lag(telling.given) over (partition by telling.number order by telling.held) as before,
        row_number() over (partition by telling.number order by telling.held) as held_rank,
        rank() over (partition by telling.number order by telling.given) as given_rank,
        1 - cast(count(*) over (partition by telling.number, telling.given) as {{ sqlanon.double() }}) / count(*) over (partition by telling.number) as others
    from telling
    where telling.number in ({% for number in in_order %}{{ number }}{{ sqlanon.comma_space(loop) }}{% endfor %})
),

{%- endif %}
-- The same text, or a function{% if in_order %}; or the same order, or the opposite{% endif %}.
copies as (
    select counted.number
    from counted
    group by counted.number
    having
        max(counted.whole) - max(counted.of_given) >= 10
        and 20 * (max(counted.whole) - sum(counted.same)) <= max(counted.whole) - max(counted.of_given)
    union
    select telling.number
    from telling
    where telling.of_held >= 5 and 1000 * power(telling.of_given / telling.whole, least(telling.of_held - 1, 10)) <= 1
    group by telling.number
    having
        count(distinct telling.given) >= 5 and sum(telling.tuples) >= 30 and 10 * sum(telling.tuples) > max(telling.whole)
{%- if in_order %}
    union
    select ranked.number
    from ranked
    group by ranked.number
    having
        20 * sum(ranked.tuples) >= 19 * max(ranked.whole) and count(distinct ranked.given) >= 5
        -- Neighbours of a random order fall, or rise, half as often as two of its values differ.
        and sum(ranked.others) >= 20 and abs(corr(ranked.held_rank, ranked.given_rank)) >= 0.8
        and 40 * least(sum(case when ranked.given < ranked.before then 1 else 0 end), sum(case when ranked.given > ranked.before then 1 else 0 end)) <= sum(ranked.others)
{%- endif %}
)

select
    case copies.number
{%- for pair in pairs %}
        when {{ loop.index }} then {{ sqlanon.literal(pair) }}
{%- endfor %}
    end as attribute,
    cast(sum(classes.records) as {{ sqlanon.double() }}) / max(released.records) as reached, cast(sum(classes.records) as bigint) as records
from copies
cross join (
    select sum(every_class.records) as records
    from {{ classes }} as every_class
    inner join {{ class_loss }} as every_loss on every_class.class_id = every_loss.class_id
) as released
cross join {{ classes }} as classes
inner join {{ class_loss }} as class_loss on classes.class_id = class_loss.class_id
where
    case copies.number % {{ apart }}
{%- for column in given %}
        when {{ 0 if loop.last else loop.index }} then class_loss.{{ column }}_loss
{%- endfor %}
    end > 0
group by copies.number
order by copies.number
{% endmacro %}
