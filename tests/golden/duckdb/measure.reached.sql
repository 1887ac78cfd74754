-- relation: reached
-- grain: one row per measured model
-- inputs: model_*, classes?, held?
-- outputs: place, value, failing_classes, failing_records
-- paper: none
-- What every privacy model reaches in its worst class, and how many classes and records violate it. Where
-- a class has no value, the greatest of all is not known.
with values_of_classes as (
    select
        1 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_k_anonymity" as measured
    union all
    select
        2 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_distinct_l_s1" as measured
    union all
    select
        3 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_entropy_l_s1" as measured
    union all
    select
        4 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_alpha_s1" as measured
    union all
    select
        5 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_t_closeness_s1" as measured
    union all
    select
        6 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_distinct_l_s2" as measured
    union all
    select
        7 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_entropy_l_s2" as measured
    union all
    select
        8 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_alpha_s2" as measured
    union all
    select
        9 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_t_closeness_s2" as measured
    union all
    select
        10 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_beta_likeness_s2" as measured
    union all
    select
        11 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_enhanced_beta_likeness_s2" as measured
    union all
    select
        12 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_delta_disclosure_s2" as measured
    union all
    select
        13 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_delta_disclosure_ln_s2" as measured
    union all
    select
        14 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_distinct_l_s3" as measured
    union all
    select
        15 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_entropy_l_s3" as measured
    union all
    select
        16 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_recursive_l_s3" as measured
    union all
    select
        17 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_alpha_s3" as measured
    union all
    select
        18 as place,
        cast(measured.value as double) as value
    from "sqlanon_measured_t_closeness_s3" as measured

),

extremes as (
    select
        found.place,
        min(found.value) as least,
        case when count(found.value) = count(*) then max(found.value) end as greatest
    from values_of_classes as found
    group by found.place
),

failing as (
    select
        held.model as place,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_held" as held
    inner join "sqlanon_classes" as classes
        on held.class_id = classes.class_id
    group by held.model
)

select
    extremes.place,
    case when extremes.place in (1, 2, 3, 6, 7, 14, 15) then extremes.least else extremes.greatest end as value,
    case when extremes.place in (1, 5, 9, 10, 11, 12, 13, 14, 15, 16, 17) then failing.failing_classes else 0 end as failing_classes,
    case when extremes.place in (1, 5, 9, 10, 11, 12, 13, 14, 15, 16, 17) then failing.failing_records else 0 end as failing_records
from extremes
left join failing
    on extremes.place = failing.place
