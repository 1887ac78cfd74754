-- relation: metrics
-- grain: one row per measure and attribute
-- inputs: classes, unique_records, held?, class_loss?, shares?, model_*
-- outputs: metric, attribute, value, threshold, passed, failing_classes, failing_records
-- paper: Amiri et al. 2023, §3.3 (GCP); Kiran & Kavya 2012, §5.2 (discernibility, average class size)
-- What the release reached, beside what was asked for; the value of a model is its worst class's.
with sizes as (
    select
        cast(coalesce(sum(classes.records), 0) as double) as records,
        cast(count(*) as double) as classes,
        cast(max(classes.records) as double) as largest,
        cast(sum(cast(classes.records as double) * classes.records) as double) as discernibility
    from "sqlanon_classes" as classes
),

-- A loss that is not known for one class is not known for the release.
losses as (
    select
        case
            when count(class_loss.q1_loss) = count(*)
                then round(sum(classes.records * class_loss.q1_loss) / sum(classes.records), 9)
        end as q1_loss,
        case
            when count(class_loss.q2_loss) = count(*)
                then round(sum(classes.records * class_loss.q2_loss) / sum(classes.records), 9)
        end as q2_loss,
        case
            when count(class_loss.q3_loss) = count(*)
                then round(sum(classes.records * class_loss.q3_loss) / sum(classes.records), 9)
        end as q3_loss,
        case
            when count(class_loss.q4_loss) = count(*)
                then round(sum(classes.records * class_loss.q4_loss) / sum(classes.records), 9)
        end as q4_loss,
        case
            when count(class_loss.q5_loss) = count(*)
                then round(sum(classes.records * class_loss.q5_loss) / sum(classes.records), 9)
        end as q5_loss,
        case
            when count(class_loss.q6_loss) = count(*)
                then round(sum(classes.records * class_loss.q6_loss) / sum(classes.records), 9)
        end as q6_loss,
        case
            when count(class_loss.q7_loss) = count(*)
                then round(sum(classes.records * class_loss.q7_loss) / sum(classes.records), 9)
        end as q7_loss,
        case
            when count(class_loss.loss) = count(*)
                then round(sum(classes.records * class_loss.loss) / sum(classes.records), 9)
        end as loss
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_loss" as class_loss
        on classes.class_id = class_loss.class_id
),

measures as (
    select
        1 as place,
        'k_anonymity' as metric,
        null as attribute,
        cast(min(measured.value) as double) as value,
        '10' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_k_anonymity" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 1
    union all
    select
        2 as place,
        'distinct_l' as metric,
        'disease' as attribute,
        cast(min(measured.value) as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_distinct_l_s1" as measured
    union all
    select
        3 as place,
        'entropy_l' as metric,
        'disease' as attribute,
        cast(min(measured.value) as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_entropy_l_s1" as measured
    union all
    select
        4 as place,
        'alpha' as metric,
        'disease' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_alpha_s1" as measured
    union all
    select
        5 as place,
        't_closeness' as metric,
        'disease' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '0.9' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_t_closeness_s1" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 5
    union all
    select
        6 as place,
        'distinct_l' as metric,
        'pain' as attribute,
        cast(min(measured.value) as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_distinct_l_s2" as measured
    union all
    select
        7 as place,
        'entropy_l' as metric,
        'pain' as attribute,
        cast(min(measured.value) as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_entropy_l_s2" as measured
    union all
    select
        8 as place,
        'alpha' as metric,
        'pain' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_alpha_s2" as measured
    union all
    select
        9 as place,
        't_closeness' as metric,
        'pain' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '0.9' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_t_closeness_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 9
    union all
    select
        10 as place,
        'beta_likeness' as metric,
        'pain' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '9' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_beta_likeness_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 10
    union all
    select
        11 as place,
        'enhanced_beta_likeness' as metric,
        'pain' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '9' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_enhanced_beta_likeness_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 11
    union all
    select
        12 as place,
        'delta_disclosure' as metric,
        'pain' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '9' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_delta_disclosure_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 12
    union all
    select
        13 as place,
        'delta_disclosure_ln' as metric,
        'pain' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '9' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_delta_disclosure_ln_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 13
    union all
    select
        14 as place,
        'distinct_l' as metric,
        'salary' as attribute,
        cast(min(measured.value) as double) as value,
        '1' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_distinct_l_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 14
    union all
    select
        15 as place,
        'entropy_l' as metric,
        'salary' as attribute,
        cast(min(measured.value) as double) as value,
        '1' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_entropy_l_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 15
    union all
    select
        16 as place,
        'recursive_l' as metric,
        'salary' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        'c = 99, l = 1' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_recursive_l_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 16
    union all
    select
        17 as place,
        'alpha' as metric,
        'salary' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        '1' as threshold,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_alpha_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 17
    union all
    select
        18 as place,
        't_closeness' as metric,
        'salary' as attribute,
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        null as threshold,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_t_closeness_s3" as measured
    union all
    select
        1001 as place,
        'records' as metric,
        null as attribute,
        sizes.records as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from sizes
    union all
    select
        1002 as place,
        'classes' as metric,
        null as attribute,
        sizes.classes as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from sizes
    union all
    select
        1003 as place,
        'average_class_size' as metric,
        null as attribute,
        sizes.records / nullif(sizes.classes, 0) as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from sizes
    union all
    select
        1004 as place,
        'largest_class' as metric,
        null as attribute,
        sizes.largest as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from sizes
    union all
    select
        1005 as place,
        'c_avg' as metric,
        null as attribute,
        sizes.records / nullif(sizes.classes, 0) / 10 as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from sizes
    union all
    select
        1006 as place,
        'discernibility' as metric,
        null as attribute,
        sizes.discernibility as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from sizes
    union all
    select
        1007 as place,
        'gcp' as metric,
        null as attribute,
        losses.loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1008 as place,
        'ncp' as metric,
        'age' as attribute,
        losses.q1_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1009 as place,
        'ncp' as metric,
        'zip' as attribute,
        losses.q2_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1010 as place,
        'ncp' as metric,
        'dose' as attribute,
        losses.q3_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1011 as place,
        'ncp' as metric,
        'admitted' as attribute,
        losses.q4_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1012 as place,
        'ncp' as metric,
        'sex' as attribute,
        losses.q5_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1013 as place,
        'ncp' as metric,
        'town' as attribute,
        losses.q6_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        1014 as place,
        'ncp' as metric,
        'visits' as attribute,
        losses.q7_loss as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from losses
    union all
    select
        9001 as place,
        'unique_records' as metric,
        null as attribute,
        cast(unique_records.unique_records as double) as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from "sqlanon_unique_records" as unique_records
    union all
    select
        9002 as place,
        'unique_share' as metric,
        null as attribute,
        round(unique_records.unique_records / nullif(sizes.records, 0), 9) as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from "sqlanon_unique_records" as unique_records
    cross join sizes
    union all
    select
        9003 as place,
        'unique_with_sensitive' as metric,
        null as attribute,
        cast(unique_records.unique_with_sensitive as double) as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from "sqlanon_unique_records" as unique_records
    union all
    select
        9004 as place,
        'unique_with_sensitive_share' as metric,
        null as attribute,
        round(unique_records.unique_with_sensitive / nullif(sizes.records, 0), 9) as value,
        null as threshold,
        null as failing_classes,
        null as failing_records
    from "sqlanon_unique_records" as unique_records
    cross join sizes
    union all
    select
        10000 + shares.place as place,
        shares.metric,
        shares.attribute,
        shares.value,
        shares.threshold,
        null as failing_classes,
        shares.failing_records
    from "sqlanon_shares" as shares
)

select
    measures.metric,
    cast(measures.attribute as varchar) as attribute,
    measures.value,
    cast(measures.threshold as varchar) as threshold,
    case when measures.threshold is not null then coalesce(measures.failing_records = 0, false) end as passed,
    measures.failing_classes,
    measures.failing_records
from measures
order by measures.place
