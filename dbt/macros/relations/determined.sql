{# Written from sql_templates/insensitive/determined.sql.j2; change that, and write this anew. #}
{% macro select_determined(records, held, commonest, attribute, k, quasi_identifiers, tie_breaker) %}
-- relation: determined
-- grain: one row per quasi-identifier, of one insensitive column
-- inputs: records, held, commonest
-- outputs: number, records, determined, by_chance
-- paper: none
-- How many records there are, in how many the insensitive column gives the quasi-identifier's original
-- value back, and in how many at most it would by chance. Copies, recodings and rescalings of any kind are alike
-- here: what counts is which values come together.
-- A value gives back the commonest original among its records if these are surer of it than the
-- whole table is: they miss it at most a twentieth as often as the table misses its own commonest
-- value. So a few errors do not hide a copy. Values held by fewer than k records are left out: each
-- of them points at a few records in any case, and is counted as such.
-- By chance, n records agree with probability p ^ (n - 1) at most, where p is the share of the
-- table's commonest value; three standard deviations are allowed on top. Where p ^ (n - 1) is below
-- e ^ -20 it is 0.
with counted as (
    select pairs.number, cast(sum(pairs.records) as {{ sqlanon.double() }}) as records, cast(max(pairs.records) as {{ sqlanon.double() }}) as commonest
    from (
        select
            records.{{ attribute }} as value, {% if tie_breaker %}held.{{ attribute }}_told as told, {% endif %}count(*) as records,
            case
{%- for column in quasi_identifiers %}
                when grouping(records.{{ column }}) = 0 then {{ loop.index }}
{%- endfor %}
            end as number
        from {{ records }} as records
        inner join {{ held }} as held
            on records.{{ attribute }} is not distinct from held.{{ attribute }}{% if tie_breaker %} and {{ sqlanon.told_apart(tie_breaker[attribute], ("records." ~ attribute)) }} is not distinct from held.{{ attribute }}_told{% endif %} and held.records >= {{ k }}
        group by
            grouping sets (
{%- for column in quasi_identifiers %}
                (records.{{ attribute }}, {% if tie_breaker %}held.{{ attribute }}_told, {% endif %}records.{{ column }}){{ sqlanon.comma(loop) }}
{%- endfor %}
            )
    ) as pairs
    group by pairs.value, {% if tie_breaker %}pairs.told, {% endif %}pairs.number
),

judged as (
    select
        counted.number, counted.records,
        case when 20 * whole_table.records * (counted.records - counted.commonest) <= counted.records * (whole_table.records - whole_table.commonest) then counted.commonest else 0 end as determined,
        case when (counted.records - 1) * (whole_table.records - whole_table.commonest) < 20 * whole_table.records then power(whole_table.commonest / whole_table.records, counted.records - 1) else cast(0 as {{ sqlanon.double() }}) end as chance
    from counted
    inner join {{ commonest }} as whole_table on counted.number = whole_table.number
)

select
    whole_table.number, cast(whole_table.records as bigint) as records,
    cast(coalesce(sum(judged.determined), 0) as bigint) as determined,
    cast(floor(0.5 + coalesce(sum(judged.records * judged.chance) + 3 * sqrt(sum(judged.records * judged.records * judged.chance * (1 - judged.chance))), 0)) as bigint) as by_chance
from {{ commonest }} as whole_table
left join judged on whole_table.number = judged.number
group by whole_table.number, whole_table.records
{% endmacro %}
