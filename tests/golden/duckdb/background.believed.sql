-- relation: believed
-- grain: one row per measure and sensitive attribute whose background is known
-- inputs: beliefs_*
-- outputs: place, metric, attribute, value, threshold, failing_records
-- paper: none
-- How sure of a member's value somebody is who has a background, before and after reading the release.
with found as (
    select
        1 as place,
        'disease' as attribute,
        cast(sum(beliefs.records) as double) as records,
        sum(beliefs.records * beliefs.prior) as prior,
        sum(beliefs.records * beliefs.posterior) as belief,
        max(beliefs.posterior - beliefs.prior) as gain
    from "sqlanon_beliefs_b1" as beliefs
    union all
    select
        2 as place,
        'pain' as attribute,
        cast(sum(beliefs.records) as double) as records,
        sum(beliefs.records * beliefs.prior) as prior,
        sum(beliefs.records * beliefs.posterior) as belief,
        max(beliefs.posterior - beliefs.prior) as gain
    from "sqlanon_beliefs_b2" as beliefs

)

select
    3 * found.place - 2 as place,
    'background_prior' as metric,
    found.attribute,
    round(found.prior / found.records, 9) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from found
union all
select
    3 * found.place - 1 as place,
    'background_belief' as metric,
    found.attribute,
    round(found.belief / found.records, 9) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from found
union all
select
    3 * found.place as place,
    'background_gain' as metric,
    found.attribute,
    round(greatest(found.gain, 0e0), 9) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from found
