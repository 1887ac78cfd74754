{# Written from sql_templates/macros/ordered.sql.j2; change that, and write this anew. #}
{# The ordered distance of groups of records to the table: the sum over the values of |K n - F_x N|, where K of
   the group's N records and F_x of the table's n are at most as high as the value x. Between two values that
   the group holds K stands still, so each such stretch of the table is summed in closed form, by the sums
   S_x = F_1 + … + F_x-1. The sign changes within it at most once: at the crossing, the first F_x N >= K n. #}

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

{# The table's values from each value up to the next that a group holds, as columns: nothing moves past the
   last. The window is over the group's values in order. #}
{% macro stretch(within) -%}
prefixes.position, prefixes.summed_before,
        coalesce(lead(prefixes.position) over ({{ within }}), totals.domain_size) as next_position,
        coalesce(lead(prefixes.summed_before) over ({{ within }}), totals.summed) as next_summed_before
{%- endmacro %}

{# The amount that must move past the values, times the records of the group and of the table. It is read from
   the CTE `stretches`: a row for each group and value it holds, with the records of the group (N), K n up to
   the value, and the stretch up to the next value. Where several attributes are measured together each has
   values of its own: `each` is the column that tells the attributes apart, one of the group's. #}
{% macro moved(group, each="") -%}
-- K n / N, rounded up, among the cumulated counts of the table: from above, the lowest that was passed.
crossings as (
    select
        points.group_records, points.mass, {% if each %}points.{{ each }}, {% endif %}points.is_level,
        min(points.position) over ({% if each %}partition by points.{{ each }} {% endif %}order by points.height desc, points.is_level asc rows unbounded preceding) as position,
        min(points.summed_before) over ({% if each %}partition by points.{{ each }} {% endif %}order by points.height desc, points.is_level asc rows unbounded preceding) as summed_before
    from (
        select distinct
            1 as is_level, {% if each %}stretches.{{ each }}, {% endif %}stretches.group_records, stretches.mass,
            cast((stretches.mass + stretches.group_records - 1 - (stretches.mass + stretches.group_records - 1) % stretches.group_records) / stretches.group_records as bigint) as height,
            cast(null as bigint) as position, cast(null as bigint) as summed_before
        from stretches
        union all
        select 0 as is_level, {% if each %}prefixes.{{ each }}, {% endif %}null as group_records, null as mass, prefixes.below, prefixes.position, prefixes.summed_before
        from prefixes
    ) as points
),

-- Up to the crossing the group has more, from it on the table. Records without a known value lie beyond the last.
distances as (
    select
        stretches.group_records * totals.records * greatest(totals.domain_size - 1, 1) as scale, {% for column in group %}stretches.{{ column }}, {% endfor %}sum(
            stretches.mass * (2 * least(greatest(crossings.position, stretches.position), stretches.next_position) - stretches.position - stretches.next_position)
            - stretches.group_records * (2 * least(greatest(crossings.summed_before, stretches.summed_before), stretches.next_summed_before) - stretches.summed_before - stretches.next_summed_before)
        ) + min(stretches.group_records * stretches.summed_before) + min(stretches.group_records * totals.records - stretches.mass) as moved
    from stretches
    inner join crossings
        on stretches.group_records = crossings.group_records and stretches.mass = crossings.mass and crossings.is_level = 1{% if each %} and stretches.{{ each }} = crossings.{{ each }}{% endif %}

{%- if each %}
    inner join totals on stretches.{{ each }} = totals.{{ each }}
{%- else %}
    cross join totals
{%- endif %}
    group by {% for column in group %}stretches.{{ column }}, {% endfor %}stretches.group_records, totals.domain_size, totals.records
)
{%- endmacro %}