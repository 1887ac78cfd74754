with counted as (
    select
        classes.class_id,
        measured.b1 as profile,
        positions.code,
        count(*) as records
    from "sqlanon_measured" as measured
    inner join "sqlanon_classes" as classes
        on
            measured.p1 is not distinct from classes.p1
    inner join "sqlanon_positions_s1" as positions
        on
            measured.s1 is not distinct from positions.value
            and positions.records > 0
    group by classes.class_id, measured.b1, positions.code
),

members as (
    select
        counted.class_id,
        counted.profile,
        cast(sum(counted.records) as double) as records
    from counted
    group by counted.class_id, counted.profile
),

held as (
    select
        counted.class_id,
        counted.code,
        cast(sum(counted.records) as double) as records
    from counted
    group by counted.class_id, counted.code
),

pairs as (
    select
        members.class_id,
        members.profile,
        held.code,
        held.records as value_records,
        coalesce(priors.prior, 0e0) as prior,
        sum(members.records) over (partition by members.class_id, held.code) as class_records,
        sum(members.records * coalesce(priors.prior, 0e0)) over (
            partition by members.class_id, held.code
        ) as expected
    from members
    inner join held
        on members.class_id = held.class_id
    left join "sqlanon_priors_b1" as priors
        on members.profile = priors.profile and held.code = priors.code
),

shared as (
    select
        pairs.class_id,
        pairs.profile,
        pairs.code,
        pairs.prior,
        pairs.value_records / pairs.class_records as share,
        case
            when pairs.expected > 0 then pairs.value_records * pairs.prior / pairs.expected
            else pairs.value_records / pairs.class_records
        end as part
    from pairs
),

summed as (
    select
        shared.class_id,
        shared.profile,
        shared.code,
        shared.prior,
        shared.share,
        shared.part,
        sum(shared.part) over (partition by shared.class_id, shared.profile) as parts
    from shared
)

select
    summed.class_id,
    summed.profile,
    summed.code,
    coalesce(counted.records, 0) as records,
    summed.prior,
    case when summed.parts > 0 then summed.part / summed.parts else summed.share end as posterior
from summed
left join counted
    on
        summed.class_id = counted.class_id
        and summed.profile = counted.profile
        and summed.code = counted.code
