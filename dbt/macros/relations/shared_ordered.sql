{# Written from sql_templates/macros/ordered.sql.j2; change that, and write this anew. #}
{# The ordered distance of groups of records to the table. A group holds few of the values, and between
   two of them its own cumulated count stands still: that stretch is summed in closed form from prefix
   sums of the table alone. With N records in the group, n in the table, K cumulated in the group and
   F_i in the table:
     T(K, i) = sum over the first i values of |F_t N - K n|;
             = i K n - S_i N                              before the crossing x: the first F_x N >= K n;
             = (2 (x - 1) - i) K n + (S_i - 2 S_x-1) N    from it on,     S_i = F_1 + … + F_i. #}

{# F and S of the table, up to each value and up to the one before it. #}
{% macro prefixes(positions) -%}
cumulated as (
    select
        positions.code,
        positions.position,
        positions.records,
        cast(sum(positions.records) over (order by positions.position rows unbounded preceding) as bigint)
            as below
    from {{ positions }} as positions
),

-- F and S up to each value, and up to the one before it.
prefixes as (
    select
        cumulated.code,
        cumulated.position,
        cumulated.below,
        cumulated.below - cumulated.records as below_before,
        cast(sum(cumulated.below) over (order by cumulated.position rows unbounded preceding) as bigint)
        - cumulated.below as summed_before
    from cumulated
),

totals as (
    select
        max(prefixes.below) as records,
        count(*) as domain_size,
        max(prefixes.summed_before) as summed
    from prefixes
)
{%- endmacro %}

{# The same, where they are laid out in a relation. #}
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
   read from the CTE `steps`: a row for each group and value it holds, with the records of the group,
   how many of them are reached up to the value, and how many have it. #}
{% macro moved(group) -%}
levels as (
    select distinct
        steps.group_records,
        steps.reached
    from steps
    union
    select distinct
        steps.group_records,
        steps.reached - steps.records as reached
    from steps
),

-- K n / N, rounded up.
thresholds as (
    select
        levels.group_records,
        levels.reached,
        cast(levels.reached as decimal(38, 0)) * totals.records as mass,
        cast(
            (
                cast(levels.reached as decimal(38, 0)) * totals.records + levels.group_records - 1
                - (cast(levels.reached as decimal(38, 0)) * totals.records + levels.group_records - 1)
                % levels.group_records
            ) / levels.group_records as bigint
        ) as threshold
    from levels
    cross join totals
),

-- Every threshold among the table's cumulated counts, from above: the crossing is the lowest of the
-- counts that have been passed.
points as (
    select
        thresholds.group_records,
        thresholds.reached,
        thresholds.mass,
        thresholds.threshold as height,
        1 as is_threshold,
        cast(null as bigint) as position,
        cast(null as bigint) as summed_before
    from thresholds
    union all
    select
        cast(null as decimal(38, 0)) as group_records,
        cast(null as bigint) as reached,
        cast(null as decimal(38, 0)) as mass,
        prefixes.below as height,
        0 as is_threshold,
        prefixes.position,
        prefixes.summed_before
    from prefixes
),

passed as (
    select
        points.group_records,
        points.reached,
        points.mass,
        points.is_threshold,
        min(points.position) over (
            order by points.height desc, points.is_threshold asc
            rows unbounded preceding
        ) as crossing,
        min(points.summed_before) over (
            order by points.height desc, points.is_threshold asc
            rows unbounded preceding
        ) as summed_before_crossing
    from points
),

crossings as (
    select
        passed.group_records,
        passed.reached,
        passed.mass,
        passed.crossing,
        passed.summed_before_crossing
    from passed
    where passed.is_threshold = 1
),

-- T up to just before each present value: with the count before it, less that with the count after.
stretches as (
    select
{%- for column in group %}
        steps.{{ column }},
{%- endfor %}
        steps.group_records,
        case
            when prefixes.position - 1 < lower.crossing
                then (prefixes.position - 1) * lower.mass - prefixes.summed_before * steps.group_records
            else
                (2 * (lower.crossing - 1) - (prefixes.position - 1)) * lower.mass
                + (prefixes.summed_before - 2 * lower.summed_before_crossing) * steps.group_records
        end
        - case
            when prefixes.position - 1 < upper.crossing
                then (prefixes.position - 1) * upper.mass - prefixes.summed_before * steps.group_records
            else
                (2 * (upper.crossing - 1) - (prefixes.position - 1)) * upper.mass
                + (prefixes.summed_before - 2 * upper.summed_before_crossing) * steps.group_records
        end as moved
    from steps
    inner join prefixes
        on steps.code = prefixes.code
    inner join crossings as lower
        on
            steps.group_records = lower.group_records
            and steps.reached - steps.records = lower.reached
    inner join crossings as upper
        on steps.group_records = upper.group_records and steps.reached = upper.reached
),

distances as (
    select
{%- for column in group %}
        stretches.{{ column }},
{%- endfor %}
        sum(stretches.moved)
        + stretches.group_records * ((totals.domain_size - 1) * totals.records - totals.summed) as moved,
        stretches.group_records * totals.records
        * case when totals.domain_size > 1 then totals.domain_size - 1 else 1 end as scale
    from stretches
    cross join totals
    group by
{%- for column in group %}
        stretches.{{ column }},
{%- endfor %}
        stretches.group_records,
        totals.domain_size,
        totals.records,
        totals.summed
)
{%- endmacro %}