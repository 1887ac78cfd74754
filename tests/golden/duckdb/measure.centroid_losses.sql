-- relation: centroid_losses
-- grain: one row per tuple of published cells
-- inputs: assigned, recoded, domain_*
-- outputs: p*, q*_loss
-- paper: Xu et al. 2006, NCP, of the values that a centroid stands for
-- What a record loses whose class publishes a centroid: what the interval, or the set, of the values in
-- the class would lose; and all, where none is published because too few have a value. Classes that publish the same tuple are one class to a reader: of these it is
-- the mean over their records.
with extents as (
    select
        assigned.class_id,
        count(*) as records,
        min(assigned.q1) as q1_low,
        max(assigned.q1) as q1_high,
        count(case when assigned.q1 > 0 then 1 end) as q1_known,
        min(assigned.q2) as q2_low,
        max(assigned.q2) as q2_high,
        count(case when assigned.q2 > 0 then 1 end) as q2_known,
        min(assigned.q3) as q3_low,
        max(assigned.q3) as q3_high,
        count(case when assigned.q3 > 0 then 1 end) as q3_known,
        min(assigned.q4) as q4_low,
        max(assigned.q4) as q4_high,
        count(case when assigned.q4 > 0 then 1 end) as q4_known,
        count(distinct assigned.q5) as q5_values,
        count(case when assigned.q5 > 0 then 1 end) as q5_known,
        count(distinct assigned.q6) as q6_values,
        count(case when assigned.q6 > 0 then 1 end) as q6_known
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

whole_q1 as (
    select
        min(cast(domain.value as double)) as least,
        max(cast(domain.value as double)) as greatest
    from "sqlanon_domain_q1" as domain
),

whole_q2 as (
    select
        min(cast(domain.value as double)) as least,
        max(cast(domain.value as double)) as greatest
    from "sqlanon_domain_q2" as domain
),

whole_q3 as (
    select
        min(cast(extract(epoch from cast(domain.value as timestamp)) as double)) as least,
        max(cast(extract(epoch from cast(domain.value as timestamp)) as double)) as greatest
    from "sqlanon_domain_q3" as domain
),

whole_q4 as (
    select
        max(domain.code) as places
    from "sqlanon_domain_q4" as domain
),

whole_q5 as (
    select
        count(domain.code) as leaves
    from "sqlanon_domain_q5" as domain
),

whole_q6 as (
    select
        count(domain.code) as leaves
    from "sqlanon_domain_q6" as domain
),

lost as (
    select
        extents.class_id,
        extents.records,
        case
            when extents.q1_known between 1 and 9 then 1.0
            else case
            when extents.q1_low = extents.q1_high then 0.0
            when extents.q1_low = 0 then 1.0
            else
                (cast(high_q1.value as double) - cast(low_q1.value as double))
                / (whole_q1.greatest - whole_q1.least)
        end
        end as q1_loss,
        case
            when extents.q2_known between 1 and 9 then 1.0
            else case
            when extents.q2_low = extents.q2_high then 0.0
            when extents.q2_low = 0 then 1.0
            else
                (cast(high_q2.value as double) - cast(low_q2.value as double))
                / (whole_q2.greatest - whole_q2.least)
        end
        end as q2_loss,
        case
            when extents.q3_known between 1 and 9 then 1.0
            else case
            when extents.q3_low = extents.q3_high then 0.0
            when extents.q3_low = 0 then 1.0
            else
                (cast(extract(epoch from cast(high_q3.value as timestamp)) as double) - cast(extract(epoch from cast(low_q3.value as timestamp)) as double))
                / (whole_q3.greatest - whole_q3.least)
        end
        end as q3_loss,
        case
            when extents.q4_known between 1 and 9 then 1.0
            else case
            when extents.q4_low = extents.q4_high then 0.0
            when extents.q4_low = 0 then 1.0
            else cast(extents.q4_high - extents.q4_low as double) / (whole_q4.places - 1)
        end
        end as q4_loss,
        case
            when extents.q5_known between 1 and 9 then 1.0
            else case
            when extents.q5_values = 1 then 0.0
            else cast(extents.q5_values - 1 as double) / (whole_q5.leaves - 1)
        end
        end as q5_loss,
        case
            when extents.q6_known between 1 and 9 then 1.0
            else case
            when extents.q6_values = 1 then 0.0
            else cast(extents.q6_values - 1 as double) / (whole_q6.leaves - 1)
        end
        end as q6_loss
    from extents
    cross join whole_q1
    cross join whole_q2
    cross join whole_q3
    cross join whole_q4
    cross join whole_q5
    cross join whole_q6
    inner join "sqlanon_domain_q1" as low_q1
        on extents.q1_low = low_q1.code
    inner join "sqlanon_domain_q1" as high_q1
        on extents.q1_high = high_q1.code
    inner join "sqlanon_domain_q2" as low_q2
        on extents.q2_low = low_q2.code
    inner join "sqlanon_domain_q2" as high_q2
        on extents.q2_high = high_q2.code
    inner join "sqlanon_domain_q3" as low_q3
        on extents.q3_low = low_q3.code
    inner join "sqlanon_domain_q3" as high_q3
        on extents.q3_high = high_q3.code
)

select
    recoded.p1,
    recoded.p2,
    recoded.p3,
    recoded.p4,
    recoded.p5,
    recoded.p6,
    sum(lost.records * lost.q1_loss) / sum(lost.records) as q1_loss,
    sum(lost.records * lost.q2_loss) / sum(lost.records) as q2_loss,
    sum(lost.records * lost.q3_loss) / sum(lost.records) as q3_loss,
    sum(lost.records * lost.q4_loss) / sum(lost.records) as q4_loss,
    sum(lost.records * lost.q5_loss) / sum(lost.records) as q5_loss,
    sum(lost.records * lost.q6_loss) / sum(lost.records) as q6_loss
from "sqlanon_recoded" as recoded
inner join lost
    on recoded.class_id = lost.class_id
group by
    recoded.p1,
    recoded.p2,
    recoded.p3,
    recoded.p4,
    recoded.p5,
    recoded.p6
