{# Written from sql_templates/macros/ordered.sql.j2; change that, and write this anew. #}
{# The ordered distance of groups of records to the table. A group's records, in order, take the records of
   the table from its lowest on: with N records in the group and n in the table, a value whose records are
   those up to the K-th takes the table's up to K n / N. What it takes must move to its own position. With
   F_x records and S_x = F_1 + … + F_x-1 of the table up to the value x, the positions of the K n lowest of
   the table's n N parts are M(K) = x K n - S_x N in sum, where x is the crossing: the first F_x N >= K n. #}

{# F_x and S of the table, up to each value and up to the one before it, as a relation has them. #}
{% macro known_prefixes(relation, records) -%}
prefixes as (
    select
        laid_out.code,
        laid_out.position,
        laid_out.below,
        laid_out.below_before,
        laid_out.summed_before
    from {{ relation }} as laid_out
),

totals as (
    select
        cast({{ records }} as bigint) as records,
        max(laid_out.domain_size) as domain_size,
        max(laid_out.summed) as summed
    from {{ relation }} as laid_out
)
{%- endmacro %}

{# The amount that must move past the values, times the records of the group and of the table. It is
   read from the CTE `steps`: a row for each group and value it holds, with the records of the group, and
   how many of them are reached up to the value. #}
{% macro moved(group) -%}
-- K n / N, rounded up, among the cumulated counts of the table.
points as (
    select
        levels.group_records, levels.reached,
        cast((levels.least - levels.least % levels.group_records) / levels.group_records as bigint) as height,
        1 as is_level, cast(null as bigint) as position, cast(null as bigint) as summed_before
    from (
        select distinct
            steps.group_records, steps.reached,
            cast(steps.reached as decimal(38, 0)) * totals.records + steps.group_records - 1 as least
        from steps
        cross join totals
    ) as levels
    union all
    select
        cast(null as decimal(38, 0)) as group_records, cast(null as bigint) as reached,
        prefixes.below as height, 0 as is_level, prefixes.position, prefixes.summed_before
    from prefixes
),

-- From above, the crossing is the lowest of the counts that have been passed.
crossings as (
    select
        points.group_records, points.reached, points.is_level,
        min(points.position) over (order by points.height desc, points.is_level asc rows unbounded preceding) as crossing,
        min(points.summed_before) over (order by points.height desc, points.is_level asc rows unbounded preceding) as summed_before
    from points
),

-- K n and M(K) up to each value.
placed as (
    select
        prefixes.position, {% for column in group %}steps.{{ column }}, {% endfor %}steps.group_records,
        prefixes.below * steps.group_records as below, prefixes.summed_before * steps.group_records as summed_before,
        cast(steps.reached as decimal(38, 0)) * totals.records as mass,
        crossings.crossing * cast(steps.reached as decimal(38, 0)) * totals.records - crossings.summed_before * steps.group_records as placed
    from steps
    inner join prefixes
        on steps.code = prefixes.code
    inner join crossings
        on steps.group_records = crossings.group_records and steps.reached = crossings.reached and crossings.is_level = 1
    cross join totals
),

-- The same up to the value before.
{% set within %}partition by {% for column in group %}placed.{{ column }}{{ sqlanon.comma_space(loop) }}{% endfor %} order by placed.position{% endset %}
stretches as (
    select
        placed.position, {% for column in group %}placed.{{ column }}, {% endfor %}placed.group_records, placed.below, placed.summed_before, placed.mass, placed.placed,
        coalesce(lag(placed.mass) over ({{ within }}), 0) as mass_before,
        coalesce(lag(placed.placed) over ({{ within }}), 0) as placed_before
    from placed
),

-- The value takes from what lies above its position, from what lies below it, or from both.
distances as (
    select
{%- for column in group %}
        stretches.{{ column }},
{%- endfor %}
        sum(
            case
                when stretches.below <= stretches.mass_before
                    then stretches.placed - stretches.placed_before - stretches.position * (stretches.mass - stretches.mass_before)
                when stretches.below >= stretches.mass
                    then stretches.position * (stretches.mass - stretches.mass_before) - stretches.placed + stretches.placed_before
                else
                    stretches.placed + stretches.placed_before + 2 * stretches.summed_before
                    - stretches.position * (stretches.mass + stretches.mass_before)
            end
        ) as moved,
        stretches.group_records * totals.records * greatest(totals.domain_size - 1, 1) as scale
    from stretches
    cross join totals
    group by {% for column in group %}stretches.{{ column }}, {% endfor %}stretches.group_records, totals.domain_size, totals.records
)
{%- endmacro %}