-- relation: shares
-- grain: one row per insensitive column, all of them together, and pair with a quasi-identifier
-- inputs: size, held_*, determined_*
-- outputs: place, metric, attribute, value, threshold, failing_records
-- paper: none
-- The share of records that an insensitive column points at by itself: rare_share, in values held by
-- fewer than k records; determined_share, whose quasi-identifier it gives back beyond chance. A column
-- that the spec accepts by name is held to no limit, and neither are all columns together.
with found as (
    select
        1 as place,
        'rare_share' as metric,
        'ward' as attribute,
        null as threshold,
        1 as numerator,
        20 as denominator,
        cast(coalesce(sum(case when held.records < 5 then held.records end), 0) as bigint) as records
    from "sqlanon_held_x1" as held
    union all
    select
        2 as place,
        'determined_share' as metric,
        'sex by ward' as attribute,
        null as threshold,
        1 as numerator,
        10 as denominator,
        case
            when determined.determined > determined.by_chance then determined.determined - determined.by_chance
            else 0
        end as records
    from "sqlanon_determined_x1" as determined
    where determined.place = 1
    union all
    select
        3 as place,
        'determined_share' as metric,
        'zip by ward' as attribute,
        null as threshold,
        1 as numerator,
        10 as denominator,
        case
            when determined.determined > determined.by_chance then determined.determined - determined.by_chance
            else 0
        end as records
    from "sqlanon_determined_x1" as determined
    where determined.place = 2

)

select
    found.place,
    found.metric,
    found.attribute,
    round(cast(found.records as double) / nullif(size.records, 0), 9) as value,
    found.threshold,
    case
        when found.threshold is null then null
        when found.records * found.denominator > size.records * found.numerator then found.records
        else 0
    end as failing_records
from found
cross join "sqlanon_person_size" as size
