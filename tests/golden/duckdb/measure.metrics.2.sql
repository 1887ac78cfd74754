-- relation: metrics
-- grain: one row per measure and attribute
-- inputs: *
-- outputs: metric, attribute, value, threshold, passed, failing_classes, failing_records, direction, range, sentence
-- paper: none
-- What the release reached, beside what was asked for; the value of a model is its worst class's. Every
-- part measures with a template of its own.
with
reached_1 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_k_anonymity" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 1
),

reached_2 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_distinct_l_s1" as measured
),

reached_3 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_entropy_l_s1" as measured
),

reached_4 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_alpha_s1" as measured
),

reached_5 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_t_closeness_s1" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 5
),

sizes as (
    -- grain: one row
    -- paper: Kiran & Kavya 2012, §5.2 (discernibility, average class size)
    -- How many records and classes there are, and how large the classes are. A record that was left out looks like
    -- all of the table.
    with counts as (
        select
            cast(coalesce(sum(classes.records), 0) as double) as records,
            cast(count(*) as double) as classes,
            cast(max(classes.records) as double) as largest_class,
            cast(sum(cast(classes.records as double) * classes.records) as double) as discernibility
        from "sqlanon_classes" as classes
    )

    select
        counts.records,
        counts.classes,
        counts.records / nullif(counts.classes, 0) as average_class_size,
        counts.largest_class,
        counts.records / nullif(counts.classes, 0) / 10 as c_avg,
        counts.discernibility
    from counts
),

losses as (
    -- grain: one row
    -- paper: Amiri et al. 2023, §3.3 (GCP); Xu et al. 2006 (NCP)
    -- The mean loss of a record; of one that was left out all is lost. A loss that is not known for one
    -- class is not known for the release.
    select
        case
            when count(class_loss.loss) = count(*)
                then round(sum(classes.records * class_loss.loss) / sum(classes.records), 9)
        end as gcp,
        case
            when count(class_loss.q1_loss) = count(*)
                then round(sum(classes.records * class_loss.q1_loss) / sum(classes.records), 9)
        end as q1_ncp,
        case
            when count(class_loss.q2_loss) = count(*)
                then round(sum(classes.records * class_loss.q2_loss) / sum(classes.records), 9)
        end as q2_ncp,
        case
            when count(class_loss.q3_loss) = count(*)
                then round(sum(classes.records * class_loss.q3_loss) / sum(classes.records), 9)
        end as q3_ncp
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_loss" as class_loss
        on classes.class_id = class_loss.class_id
),

risks as (
    -- grain: one row
    -- paper: El Emam & Dankar 2008 (prosecutor); Dankar & El Emam 2010, f / F with the release as the whole (marketer)
    -- How likely a guess is right among the persons of a class: at its worst, and over all records. Where no
    -- persons are counted, each record is one.
    with guesses as (
        select
            classes.records,
            cast(classes.records as double) as persons
        from "sqlanon_classes" as classes
    )

    select
        round(max(1 / guesses.persons), 9) as prosecutor_risk,
        round(sum(guesses.records / guesses.persons) / sum(guesses.records), 9) as marketer_risk
    from guesses
),

measures as (
    select
        0 as part,
        1 as place,
        'k_anonymity' as metric,
        null as attribute,
        found.value,
        '10' as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'Every class has at least k records.' as sentence
    from reached_1 as found
    union all
    select
        0 as part,
        2 as place,
        'distinct_l' as metric,
        'disease' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'Every class holds at least l different sensitive values.' as sentence
    from reached_2 as found
    union all
    select
        0 as part,
        3 as place,
        'entropy_l' as metric,
        'disease' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'The sensitive values of every class are as mixed as l equally frequent ones.' as sentence
    from reached_3 as found
    union all
    select
        0 as part,
        4 as place,
        'alpha' as metric,
        'disease' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'No sensitive value makes up more of a class than this share.' as sentence
    from reached_4 as found
    union all
    select
        0 as part,
        5 as place,
        't_closeness' as metric,
        'disease' as attribute,
        found.value,
        '0.9' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'The sensitive values of every class are distributed as in the whole table, within t.' as sentence
    from reached_5 as found
    union all
    select
        0 as part,
        6 as place,
        'records' as metric,
        null as attribute,
        found.records as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        null as direction,
        '[0, inf)' as range,
        'The release has this many records.' as sentence
    from sizes as found
    union all
    select
        0 as part,
        7 as place,
        'classes' as metric,
        null as attribute,
        found.classes as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        null as direction,
        '[0, n]' as range,
        'A reader sees this many classes of records that look alike.' as sentence
    from sizes as found
    union all
    select
        0 as part,
        8 as place,
        'average_class_size' as metric,
        null as attribute,
        found.average_class_size as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[1, n]' as range,
        'This many records look alike on average: the more, the coarser the data.' as sentence
    from sizes as found
    union all
    select
        0 as part,
        9 as place,
        'largest_class' as metric,
        null as attribute,
        found.largest_class as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        null as direction,
        '[1, n]' as range,
        'The largest class has this many records.' as sentence
    from sizes as found
    union all
    select
        0 as part,
        10 as place,
        'c_avg' as metric,
        null as attribute,
        found.c_avg as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, n]' as range,
        'Classes are this many times as large on average as k asks for.' as sentence
    from sizes as found
    union all
    select
        0 as part,
        11 as place,
        'discernibility' as metric,
        null as attribute,
        found.discernibility as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, n^2]' as range,
        'This many pairs of records look alike, each counted both ways, and a record with itself as one; one that was left out looks like all.' as sentence
    from sizes as found
    union all
    select
        0 as part,
        12 as place,
        'gcp' as metric,
        null as attribute,
        found.gcp as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the information in the quasi-identifiers is lost: 0 is nothing and 1 is everything.' as sentence
    from losses as found
    union all
    select
        0 as part,
        13 as place,
        'ncp' as metric,
        'age' as attribute,
        found.q1_ncp as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.' as sentence
    from losses as found
    union all
    select
        0 as part,
        14 as place,
        'ncp' as metric,
        'zip' as attribute,
        found.q2_ncp as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.' as sentence
    from losses as found
    union all
    select
        0 as part,
        15 as place,
        'ncp' as metric,
        'admitted' as attribute,
        found.q3_ncp as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.' as sentence
    from losses as found
    union all
    select
        0 as part,
        16 as place,
        'prosecutor_risk' as metric,
        null as attribute,
        found.prosecutor_risk as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'A person who is known to be in the release is picked out of those who look alike with at most this chance.' as sentence
    from risks as found
    union all
    select
        0 as part,
        17 as place,
        'marketer_risk' as metric,
        null as attribute,
        found.marketer_risk as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Guesses at the person of every record are right for this share of them on average.' as sentence
    from risks as found
    union all
    select
        0 as part,
        18 as place,
        'unique_records' as metric,
        null as attribute,
        found.unique_records as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, n]' as range,
        'This many records are the only ones with their published quasi-identifiers and insensitive columns.' as sentence
    from "sqlanon_unique_records" as found
    union all
    select
        0 as part,
        19 as place,
        'unique_share' as metric,
        null as attribute,
        found.unique_share as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the records are the only ones with their published quasi-identifiers and insensitive columns.' as sentence
    from "sqlanon_unique_records" as found
    union all
    select
        0 as part,
        20 as place,
        'unique_with_sensitive' as metric,
        null as attribute,
        found.unique_with_sensitive as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, n]' as range,
        'This many records are the only ones with all that is published of them.' as sentence
    from "sqlanon_unique_records" as found
    union all
    select
        0 as part,
        21 as place,
        'unique_with_sensitive_share' as metric,
        null as attribute,
        found.unique_with_sensitive_share as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the records are the only ones with all that is published of them.' as sentence
    from "sqlanon_unique_records" as found

)

select
    measures.metric,
    cast(measures.attribute as varchar) as attribute,
    measures.value,
    cast(measures.threshold as varchar) as threshold,
    case when measures.threshold is not null then coalesce(measures.failing_records = 0, false) end as passed,
    measures.failing_classes,
    measures.failing_records,
    cast(measures.direction as varchar) as direction,
    cast(measures.range as varchar) as range,
    cast(measures.sentence as varchar) as sentence
from measures
order by measures.part, measures.place
