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

reached_6 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_distinct_l_s2" as measured
),

reached_7 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_entropy_l_s2" as measured
),

reached_8 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_alpha_s2" as measured
),

reached_9 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_t_closeness_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 9
),

reached_10 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_beta_likeness_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 10
),

reached_11 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_enhanced_beta_likeness_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 11
),

reached_12 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_delta_disclosure_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 12
),

reached_13 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_delta_disclosure_ln_s2" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 13
),

reached_14 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_distinct_l_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 14
),

reached_15 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(min(measured.value) as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_entropy_l_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 15
),

reached_16 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_recursive_l_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 16
),

reached_17 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(1 - held.holds) as bigint) as failing_classes,
        cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records
    from "sqlanon_measured_alpha_s3" as measured
    inner join "sqlanon_classes" as classes
        on measured.class_id = classes.class_id
    inner join "sqlanon_held" as held
        on measured.class_id = held.class_id and held.model = 17
),

reached_18 as (
    -- grain: one row
    -- What a privacy model reaches in its worst class, and how many classes and records fall short.
    select
        cast(case when count(measured.value) = count(*) then max(measured.value) end as double) as value,
        cast(sum(0) as bigint) as failing_classes,
        cast(sum(0) as bigint) as failing_records
    from "sqlanon_measured_t_closeness_s3" as measured
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
        end as q3_ncp,
        case
            when count(class_loss.q4_loss) = count(*)
                then round(sum(classes.records * class_loss.q4_loss) / sum(classes.records), 9)
        end as q4_ncp,
        case
            when count(class_loss.q5_loss) = count(*)
                then round(sum(classes.records * class_loss.q5_loss) / sum(classes.records), 9)
        end as q5_ncp,
        case
            when count(class_loss.q6_loss) = count(*)
                then round(sum(classes.records * class_loss.q6_loss) / sum(classes.records), 9)
        end as q6_ncp,
        case
            when count(class_loss.q7_loss) = count(*)
                then round(sum(classes.records * class_loss.q7_loss) / sum(classes.records), 9)
        end as q7_ncp
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

minorities as (
    -- grain: one row per measure and sensitive attribute
    -- paper: Iyengar 2002, CM: a record is penalized that was suppressed, or whose class has another majority
    -- How many records have another value than most of their class; one that was suppressed has no class. Where
    -- persons are counted, a record is a pair of a person and a value.
    with majorities as (
        select
            1 as place,
            'disease' as attribute,
            class_values.class_id,
            max(class_values.records) as majority,
            sum(class_values.records) as records
        from "sqlanon_class_values_s1" as class_values
        group by class_values.class_id
        union all
        select
            2 as place,
            'pain' as attribute,
            class_values.class_id,
            max(class_values.records) as majority,
            sum(class_values.records) as records
        from "sqlanon_class_values_s2" as class_values
        group by class_values.class_id
        union all
        select
            3 as place,
            'salary' as attribute,
            class_values.class_id,
            max(class_values.records) as majority,
            sum(class_values.records) as records
        from "sqlanon_class_values_s3" as class_values
        group by class_values.class_id

    ),

    minority_counts as (
        select
            majorities.place,
            majorities.attribute,
            cast(sum(majorities.records) as double) as records,
            cast(sum(majorities.records) - sum(majorities.majority) as double) as minority
        from majorities
        group by majorities.place, majorities.attribute
    )

    select
        counts.place,
        'classification_metric' as metric,
        counts.attribute,
        round(counts.minority / counts.records, 9) as value,
        cast(null as varchar) as threshold,
        cast(null as bigint) as failing_records
    from minority_counts as counts
),

entropies as (
    -- grain: one row
    -- paper: Gionis & Tassa 2009, non-uniform entropy: the mean of -log2 P(value | cell)
    -- Which value a record has need not be known: P(value | cell) is a quotient of counts, so its logarithms
    -- are a sum over the cells less one over the values of the source. That holds where the records that are
    -- published and suppressed are the source's; where they are not as many, nothing is said.
    with source_nats as (
        select
            1 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q1" as domain
        union all
        select
            2 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q2" as domain
        union all
        select
            3 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q3" as domain
        union all
        select
            4 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q4" as domain
        union all
        select
            5 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q5" as domain
        union all
        select
            6 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q6" as domain
        union all
        select
            7 as place,
            cast(sum(domain.records) as double) as records,
            sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
        from "sqlanon_domain_q7" as domain

    ),

    cells_alike as (
        select
            1 as place,
            classes.records,
            cast(class_cover.q1_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
        union all
        select
            2 as place,
            classes.records,
            cast(class_cover.q2_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
        union all
        select
            3 as place,
            classes.records,
            cast(class_cover.q3_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
        union all
        select
            4 as place,
            classes.records,
            cast(class_cover.q4_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
        union all
        select
            5 as place,
            classes.records,
            cast(class_cover.q5_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
        union all
        select
            6 as place,
            classes.records,
            cast(class_cover.q6_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
        union all
        select
            7 as place,
            classes.records,
            cast(class_cover.q7_records as double) as alike
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id

    ),

    published_nats as (
        select
            cells.place,
            sum(cells.records) as records,
            case
                when count(cells.alike) = count(*) and min(cells.alike) > 0
                    then sum(cells.records * ln(greatest(cells.alike, 1e0)))
            end as nats
        from cells_alike as cells
        group by cells.place
    ),

    nats_lost as (
        select
            sources.place,
            sums.nats - sources.nats as lost,
            sources.records * ln(sources.records) - sources.nats as greatest_loss
        from source_nats as sources
        inner join published_nats as sums
            on sources.place = sums.place and sources.records = sums.records
    ),

    shares_lost as (
        select
            lost.place,
            case
                when lost.lost is null then null
                when lost.greatest_loss < 1e-9 then 0e0
                else abs(round(lost.lost / lost.greatest_loss, 9))
            end as share
        from nats_lost as lost
    )

    select
        max(case when shares.place = 1 then shares.share end) as q1_non_uniform_entropy,
        max(case when shares.place = 2 then shares.share end) as q2_non_uniform_entropy,
        max(case when shares.place = 3 then shares.share end) as q3_non_uniform_entropy,
        max(case when shares.place = 4 then shares.share end) as q4_non_uniform_entropy,
        max(case when shares.place = 5 then shares.share end) as q5_non_uniform_entropy,
        max(case when shares.place = 6 then shares.share end) as q6_non_uniform_entropy,
        max(case when shares.place = 7 then shares.share end) as q7_non_uniform_entropy
    from shares_lost as shares
),

covers as (
    -- grain: one row
    -- paper: Nergiz & Clifton 2007, ambiguity; Xiao & Tao 2006, Kiran & Kavya 2012, §5.2 (Iloss)
    -- How many combinations of values a record's cells stand for, and how far each cell is from one value; a
    -- suppressed record's stand for all. Where a cell cannot be read, nothing is said.
    with domains_covered as (
        select
            cast((select count(*) from "sqlanon_domain_q1") as double) as q1_values,
            cast((select count(*) from "sqlanon_domain_q2") as double) as q2_values,
            cast((select count(*) from "sqlanon_domain_q3") as double) as q3_values,
            cast((select count(*) from "sqlanon_domain_q4") as double) as q4_values,
            cast((select count(*) from "sqlanon_domain_q5") as double) as q5_values,
            cast((select count(*) from "sqlanon_domain_q6") as double) as q6_values,
            cast((select count(*) from "sqlanon_domain_q7") as double) as q7_values
    ),

    cells_covered as (
        select
            classes.records,
            cast(class_cover.q1_values as double) as q1_values,
            cast(class_cover.q2_values as double) as q2_values,
            cast(class_cover.q3_values as double) as q3_values,
            cast(class_cover.q4_values as double) as q4_values,
            cast(class_cover.q5_values as double) as q5_values,
            cast(class_cover.q6_values as double) as q6_values,
            cast(class_cover.q7_values as double) as q7_values
        from "sqlanon_classes" as classes
        inner join "sqlanon_class_cover" as class_cover
            on classes.class_id = class_cover.class_id
    ),

    records_covered as (
        select
            cells.records,
            (
                1
                * cells.q1_values
                * cells.q2_values
                * cells.q3_values
                * cells.q4_values
                * cells.q5_values
                * cells.q6_values
                * cells.q7_values
            ) as combinations,
            (
                1 * (cells.q1_values - 1)
                / (1 * domains.q1_values)
                + 1 * (cells.q2_values - 1)
                / (1 * domains.q2_values)
                + 1 * (cells.q3_values - 1)
                / (2 * domains.q3_values)
                + 1 * (cells.q4_values - 1)
                / (1 * domains.q4_values)
                + 1 * (cells.q5_values - 1)
                / (1 * domains.q5_values)
                + 1 * (cells.q6_values - 1)
                / (1 * domains.q6_values)
                + 1 * (cells.q7_values - 1)
                / (1 * domains.q7_values)
            ) as iloss
        from cells_covered as cells
        cross join domains_covered as domains
    )

    select
        case
            when count(priced.combinations) = count(*)
                then round(sum(priced.records * priced.combinations) / sum(priced.records), 9)
        end as ambiguity,
        case when count(priced.iloss) = count(*) then round(sum(priced.records * priced.iloss), 9) end as iloss
    from records_covered as priced
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
        'distinct_l' as metric,
        'pain' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'Every class holds at least l different sensitive values.' as sentence
    from reached_6 as found
    union all
    select
        0 as part,
        7 as place,
        'entropy_l' as metric,
        'pain' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'The sensitive values of every class are as mixed as l equally frequent ones.' as sentence
    from reached_7 as found
    union all
    select
        0 as part,
        8 as place,
        'alpha' as metric,
        'pain' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'No sensitive value makes up more of a class than this share.' as sentence
    from reached_8 as found
    union all
    select
        0 as part,
        9 as place,
        't_closeness' as metric,
        'pain' as attribute,
        found.value,
        '0.9' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'The sensitive values of every class are distributed as in the whole table, within t.' as sentence
    from reached_9 as found
    union all
    select
        0 as part,
        10 as place,
        'beta_likeness' as metric,
        'pain' as attribute,
        found.value,
        '9' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, inf)' as range,
        'In no class does the share of a sensitive value exceed that in the whole table by more than beta times that.' as sentence
    from reached_10 as found
    union all
    select
        0 as part,
        11 as place,
        'enhanced_beta_likeness' as metric,
        'pain' as attribute,
        found.value,
        '9' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, inf)' as range,
        'In no class does the share of a sensitive value exceed that in the whole table by more than beta times that, and frequent values are held closer, so that none is certain.' as sentence
    from reached_11 as found
    union all
    select
        0 as part,
        12 as place,
        'delta_disclosure' as metric,
        'pain' as attribute,
        found.value,
        '9' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, inf)' as range,
        'In every class the share of every sensitive value is more than 1 / 2^delta and less than 2^delta times that in the whole table.' as sentence
    from reached_12 as found
    union all
    select
        0 as part,
        13 as place,
        'delta_disclosure_ln' as metric,
        'pain' as attribute,
        found.value,
        '9' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, inf)' as range,
        'In every class the share of every sensitive value is more than 1 / e^delta and less than e^delta times that in the whole table.' as sentence
    from reached_13 as found
    union all
    select
        0 as part,
        14 as place,
        'distinct_l' as metric,
        'salary' as attribute,
        found.value,
        '1' as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'Every class holds at least l different sensitive values.' as sentence
    from reached_14 as found
    union all
    select
        0 as part,
        15 as place,
        'entropy_l' as metric,
        'salary' as attribute,
        found.value,
        '1' as threshold,
        found.failing_classes,
        found.failing_records,
        'higher' as direction,
        '[1, n]' as range,
        'The sensitive values of every class are as mixed as l equally frequent ones.' as sentence
    from reached_15 as found
    union all
    select
        0 as part,
        16 as place,
        'recursive_l' as metric,
        'salary' as attribute,
        found.value,
        'c = 99, l = 1' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, n]' as range,
        'The most frequent sensitive value of every class is rarer than c times the rest from the l-th on.' as sentence
    from reached_16 as found
    union all
    select
        0 as part,
        17 as place,
        'alpha' as metric,
        'salary' as attribute,
        found.value,
        '1' as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'No sensitive value makes up more of a class than this share.' as sentence
    from reached_17 as found
    union all
    select
        0 as part,
        18 as place,
        't_closeness' as metric,
        'salary' as attribute,
        found.value,
        null as threshold,
        found.failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'The sensitive values of every class are distributed as in the whole table, within t.' as sentence
    from reached_18 as found
    union all
    select
        0 as part,
        19 as place,
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
        20 as place,
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
        21 as place,
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
        22 as place,
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
        23 as place,
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
        24 as place,
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
        25 as place,
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
        26 as place,
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
        27 as place,
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
        28 as place,
        'ncp' as metric,
        'dose' as attribute,
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
        29 as place,
        'ncp' as metric,
        'admitted' as attribute,
        found.q4_ncp as value,
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
        30 as place,
        'ncp' as metric,
        'sex' as attribute,
        found.q5_ncp as value,
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
        31 as place,
        'ncp' as metric,
        'town' as attribute,
        found.q6_ncp as value,
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
        32 as place,
        'ncp' as metric,
        'visits' as attribute,
        found.q7_ncp as value,
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
        33 as place,
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
        34 as place,
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
        35 as place,
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
        36 as place,
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
        37 as place,
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
        38 as place,
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
    union all
    select
        0 as part,
        39 as place,
        'non_uniform_entropy' as metric,
        'age' as attribute,
        found.q1_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        40 as place,
        'non_uniform_entropy' as metric,
        'zip' as attribute,
        found.q2_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        41 as place,
        'non_uniform_entropy' as metric,
        'dose' as attribute,
        found.q3_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        42 as place,
        'non_uniform_entropy' as metric,
        'admitted' as attribute,
        found.q4_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        43 as place,
        'non_uniform_entropy' as metric,
        'sex' as attribute,
        found.q5_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        44 as place,
        'non_uniform_entropy' as metric,
        'town' as attribute,
        found.q6_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        45 as place,
        'non_uniform_entropy' as metric,
        'visits' as attribute,
        found.q7_non_uniform_entropy as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.' as sentence
    from entropies as found
    union all
    select
        0 as part,
        46 as place,
        'ambiguity' as metric,
        null as attribute,
        found.ambiguity as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        'lower' as direction,
        '[1, inf)' as range,
        'A record''s cells could stand for this many combinations of values on average.' as sentence
    from covers as found
    union all
    select
        2 as part,
        found.place,
        found.metric,
        found.attribute,
        found.value,
        found.threshold,
        null as failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'This share of the records have a value of the column that fewer than k records have, or of all insensitive columns together where none is named.' as sentence
    from "sqlanon_shares" as found
    where found.metric = 'rare_share'
    union all
    select
        2 as part,
        found.place,
        found.metric,
        found.attribute,
        found.value,
        found.threshold,
        null as failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'For this share of the records the column gives the original value of the quasi-identifier back.' as sentence
    from "sqlanon_shares" as found
    where found.metric = 'determined_share'
    union all
    select
        6 as part,
        found.place,
        found.metric,
        found.attribute,
        found.value,
        found.threshold,
        null as failing_classes,
        found.failing_records,
        'lower' as direction,
        '[0, 1]' as range,
        'Who takes every class to have its most frequent value is wrong for this share of the records.' as sentence
    from minorities as found
    where found.metric = 'classification_metric'

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
