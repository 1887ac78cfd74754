{# Written from sql_templates/measure/check_copied.sql.j2; change that, and write this anew. #}
{% macro select_check_copied(coded, classes, class_loss, columns, domains, given, held, in_order, pairs) %}
-- relation: check_copied
-- grain: one row per quasi-identifier and sensitive column that gives it back
-- inputs: coded, domain_*, classes, class_loss
-- outputs: attribute, reached, records
-- paper: none
-- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
-- of what the cell hides.
-- Whether a column is a copy is seen from which values come together, in different tuples of all columns: a
-- table that was loaded twice, or records that are alike, prove nothing. One of three must be beyond chance.
-- Same text, or one that begins with it as a finer code does: the values miss each other at most a twentieth as
-- often as the quasi-identifier's commonest value misses, which ten tuples at least do.
-- Function: values of five tuples at least, whose quasi-identifier is one in 19 of 20 and would be so by chance
-- in one of 1,000 at most; they are 30 tuples and a tenth of all, and give five different originals back.
-- Order: nearly every value has one original, and these rise or fall with the values: they turn at most a
-- twentieth as often as in a random order, where they would ten times at least, and their ranks agree.
with tuples as (
    select distinct
{%- for column in columns %}
        coded.{{ column }}{{ sqlanon.comma(loop) }}
{%- endfor %}
    from {{ coded }} as coded
),

-- A code is never NULL: what a set does not group by is.
pairs as (
    select
        case
{%- for pair in pairs %}
            when grouping(tuples.{{ pair.held }}) + grouping(tuples.{{ pair.given }}) = 0 then {{ loop.index }}
{%- endfor %}
        end as place,
        coalesce({% for column in held %}tuples.{{ column }}, {% endfor %}0) as held,
        coalesce({% for column in given %}tuples.{{ column }}, {% endfor %}0) as given,
        count(*) as tuples
    from tuples
    group by
        grouping sets (
{%- for pair in pairs %}
            (tuples.{{ pair.held }}, tuples.{{ pair.given }}){{ sqlanon.comma(loop) }}
{%- endfor %}
        )
),

labels as (
{%- for column in held + given %}
    select
        {{ sqlanon.literal(column) }} as attribute,
        domain_{{ column }}.code,
        domain_{{ column }}.level_0 as label
    from {{ domains[column] }} as domain_{{ column }}
{{ sqlanon.union_all(loop) }}
{%- endfor %}
),

counted as (
    select
        pairs.place,
        pairs.held,
        pairs.given,
        cast(pairs.tuples as {{ sqlanon.double() }}) as tuples,
        cast(sum(pairs.tuples) over (partition by pairs.place, pairs.held) as {{ sqlanon.double() }}) as of_held,
        cast(sum(pairs.tuples) over (partition by pairs.place, pairs.given) as {{ sqlanon.double() }}) as of_given,
        cast(sum(pairs.tuples) over (partition by pairs.place) as {{ sqlanon.double() }}) as whole,
        case
            when label_held.label = label_given.label then pairs.tuples
            when label_given.label = '' then 0
            when substring(label_held.label, 1, length(label_given.label)) = label_given.label then pairs.tuples
            else 0
        end as same
    from pairs
    left join labels as label_held
        on
            pairs.held = label_held.code
            and label_held.attribute
            = case pairs.place {% for pair in pairs %}when {{ loop.index }} then {{ sqlanon.literal(pair.held) }} {% endfor %}end
    left join labels as label_given
        on
            pairs.given = label_given.code
            and label_given.attribute
            = case pairs.place {% for pair in pairs %}when {{ loop.index }} then {{ sqlanon.literal(pair.given) }} {% endfor %}end
),

-- A value is telling if nearly all of its tuples have one original.
judged as (
    select
        counted.place,
        counted.held,
        counted.given,
        counted.tuples,
        counted.of_given,
        counted.whole,
        counted.same,
        case when 20 * counted.tuples >= 19 * counted.of_held then 1 else 0 end as telling,
        case
            when 20 * counted.tuples < 19 * counted.of_held or counted.of_held < 5 then 0
            when 1000 * power(counted.of_given / counted.whole, least(counted.of_held - 1, 10)) > 1 then 0
            else 1
        end as beyond_chance
    from counted
),

ranked as (
    select
        judged.place,
        judged.given,
        judged.tuples,
        judged.of_given,
        judged.whole,
        judged.same,
        judged.telling,
        judged.beyond_chance,
        lag(judged.given) over (partition by judged.place, judged.telling order by judged.held) as before,
        cast(
            row_number() over (partition by judged.place, judged.telling order by judged.held) as {{ sqlanon.double() }}
        ) as held_rank,
        cast(rank() over (partition by judged.place, judged.telling order by judged.given) as {{ sqlanon.double() }}) as given_rank,
        cast(count(*) over (partition by judged.place, judged.telling, judged.given) as {{ sqlanon.double() }}) as alike,
        count(*) over (partition by judged.place, judged.telling) as all_values
    from judged
),

copies as (
    select ranked.place
    from ranked
    group by ranked.place
    having
        (
            max(ranked.whole) - max(ranked.of_given) >= 10
            and 20 * (max(ranked.whole) - sum(ranked.same)) <= max(ranked.whole) - max(ranked.of_given)
        )
        or (
            count(distinct case when ranked.beyond_chance = 1 then ranked.given end) >= 5
            and sum(ranked.beyond_chance * ranked.tuples) >= 30
            and 10 * sum(ranked.beyond_chance * ranked.tuples) > max(ranked.whole)
        )
{%- if in_order %}
        -- Neighbours of a random order fall, or rise, half as often as two of its values differ.
        or (
            ranked.place in ({% for place in in_order %}{{ place }}{{ sqlanon.comma_space(loop) }}{% endfor %})
            and 20 * sum(ranked.telling * ranked.tuples) >= 19 * max(ranked.whole)
            and sum(ranked.telling / ranked.alike) > 4.5
            and sum(ranked.telling * (1 - ranked.alike / ranked.all_values)) >= 20
            and 40 * least(
                sum(case when ranked.telling = 1 and ranked.given < ranked.before then 1 else 0 end),
                sum(case when ranked.telling = 1 and ranked.given > ranked.before then 1 else 0 end)
            ) <= sum(ranked.telling * (1 - ranked.alike / ranked.all_values))
            -- The squared correlation of the ranks is 0.64 at least.
            and power(
                sum(ranked.telling) * sum(ranked.telling * ranked.held_rank * ranked.given_rank)
                - sum(ranked.telling * ranked.held_rank) * sum(ranked.telling * ranked.given_rank),
                2
            ) >= 0.64 * (
                sum(ranked.telling) * sum(ranked.telling * ranked.held_rank * ranked.held_rank)
                - sum(ranked.telling * ranked.held_rank) * sum(ranked.telling * ranked.held_rank)
            ) * (
                sum(ranked.telling) * sum(ranked.telling * ranked.given_rank * ranked.given_rank)
                - sum(ranked.telling * ranked.given_rank) * sum(ranked.telling * ranked.given_rank)
            )
        )
{%- endif %}
),

hidden as (
    select
{%- for column in given %}
        sum(case when class_loss.{{ column }}_loss > 0 then classes.records else 0 end) as {{ column }}_hidden,
{%- endfor %}
        sum(classes.records) as records
    from {{ classes }} as classes
    inner join {{ class_loss }} as class_loss
        on classes.class_id = class_loss.class_id
),

undone as (
    select
        copies.place,
        case copies.place
{%- for pair in pairs %}
            when {{ loop.index }} then {{ sqlanon.literal(pair.shown) }}
{%- endfor %}
        end as attribute,
        case copies.place
{%- for pair in pairs %}
            when {{ loop.index }} then hidden.{{ pair.given }}_hidden
{%- endfor %}
        end as records,
        hidden.records as whole
    from copies
    cross join hidden
)

select
    undone.attribute,
    cast(undone.records as {{ sqlanon.double() }}) / undone.whole as reached,
    cast(undone.records as bigint) as records
from undone
where undone.records > 0
order by undone.place
{% endmacro %}
