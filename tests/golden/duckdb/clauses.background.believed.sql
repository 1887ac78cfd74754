with found as (
    select
        1 as number,
        'disease' as attribute,
        cast(sum(beliefs.records) as double) as records,
        sum(beliefs.records * beliefs.prior) as prior,
        sum(beliefs.records * beliefs.posterior) as belief,
        max(beliefs.posterior - beliefs.prior) as gain
    from "sqlanon_beliefs_b1" as beliefs

)

select
    3 * found.number - 2 as number,
    'background_prior' as metric,
    found.attribute,
    round(found.prior / found.records, 9) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from found
union all
select
    3 * found.number - 1 as number,
    'background_belief' as metric,
    found.attribute,
    round(found.belief / found.records, 9) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from found
union all
select
    3 * found.number as number,
    'background_gain' as metric,
    found.attribute,
    round(greatest(found.gain, 0e0), 9) as value,
    cast(null as varchar) as threshold,
    cast(null as bigint) as failing_records
from found
