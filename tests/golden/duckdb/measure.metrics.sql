-- relation: metrics
-- grain: one row per measure and attribute
-- inputs: *
-- outputs: metric, attribute, value, threshold, passed, failing_classes, failing_records, direction, range, sentence
-- paper: none
-- What the release reached, beside what was asked for; the value of a model is its worst class's. Every
-- part measures with a template of its own, and is read once: many databases would measure it again for
-- every figure that is taken from it.
with
reached as (
    -- grain: one row per measured model
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
        figures.place,
        figures.metric,
        figures.attribute,
        reached.value,
        figures.threshold,
        reached.failing_classes,
        reached.failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from (
        values
        (
            1,
            'k_anonymity',
            cast(null as varchar),
            '10',
            'higher',
            '[1, n]',
            'Every class has at least k records.'
        ),
        (
            2,
            'distinct_l',
            'disease',
            cast(null as varchar),
            'higher',
            '[1, n]',
            'Every class holds at least l different sensitive values.'
        ),
        (
            3,
            'entropy_l',
            'disease',
            cast(null as varchar),
            'higher',
            '[1, n]',
            'The sensitive values of every class are as mixed as l equally frequent ones.'
        ),
        (
            4,
            'alpha',
            'disease',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'No sensitive value makes up more of a class than this share.'
        ),
        (
            5,
            't_closeness',
            'disease',
            '0.9',
            'lower',
            '[0, 1]',
            'The sensitive values of every class are distributed as in the whole table, within t.'
        ),
        (
            6,
            'distinct_l',
            'pain',
            cast(null as varchar),
            'higher',
            '[1, n]',
            'Every class holds at least l different sensitive values.'
        ),
        (
            7,
            'entropy_l',
            'pain',
            cast(null as varchar),
            'higher',
            '[1, n]',
            'The sensitive values of every class are as mixed as l equally frequent ones.'
        ),
        (
            8,
            'alpha',
            'pain',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'No sensitive value makes up more of a class than this share.'
        ),
        (
            9,
            't_closeness',
            'pain',
            '0.9',
            'lower',
            '[0, 1]',
            'The sensitive values of every class are distributed as in the whole table, within t.'
        ),
        (
            10,
            'beta_likeness',
            'pain',
            '9',
            'lower',
            '[0, inf)',
            'In no class does the share of a sensitive value exceed that in the whole table by more than beta times that.'
        ),
        (
            11,
            'enhanced_beta_likeness',
            'pain',
            '9',
            'lower',
            '[0, inf)',
            'In no class does the share of a sensitive value exceed that in the whole table by more than beta times that, and frequent values are held closer, so that none is certain.'
        ),
        (
            12,
            'delta_disclosure',
            'pain',
            '9',
            'lower',
            '[0, inf)',
            'In every class the share of every sensitive value is more than 1 / 2^delta and less than 2^delta times that in the whole table.'
        ),
        (
            13,
            'delta_disclosure_ln',
            'pain',
            '9',
            'lower',
            '[0, inf)',
            'In every class the share of every sensitive value is more than 1 / e^delta and less than e^delta times that in the whole table.'
        ),
        (
            14,
            'distinct_l',
            'salary',
            '1',
            'higher',
            '[1, n]',
            'Every class holds at least l different sensitive values.'
        ),
        (
            15,
            'entropy_l',
            'salary',
            '1',
            'higher',
            '[1, n]',
            'The sensitive values of every class are as mixed as l equally frequent ones.'
        ),
        (
            16,
            'recursive_l',
            'salary',
            'c = 99, l = 1',
            'lower',
            '[0, n]',
            'The most frequent sensitive value of every class is rarer than c times the rest from the l-th on.'
        ),
        (
            17,
            'alpha',
            'salary',
            '1',
            'lower',
            '[0, 1]',
            'No sensitive value makes up more of a class than this share.'
        ),
        (
            18,
            't_closeness',
            'salary',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'The sensitive values of every class are distributed as in the whole table, within t.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
    left join reached
        on figures.place = reached.place
    union all
    select
        0 as part,
        figures.place,
        figures.metric,
        figures.attribute,
        case figures.place
            when 19 then found.records
            when 20 then found.classes
            when 21 then found.average_class_size
            when 22 then found.largest_class
            when 23 then found.c_avg
            when 24 then found.discernibility
        end as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from sizes as found
    cross join (
        values
        (
            19,
            'records',
            cast(null as varchar),
            cast(null as varchar),
            cast(null as varchar),
            '[0, inf)',
            'The release has this many records.'
        ),
        (
            20,
            'classes',
            cast(null as varchar),
            cast(null as varchar),
            cast(null as varchar),
            '[0, n]',
            'A reader sees this many classes of records that look alike.'
        ),
        (
            21,
            'average_class_size',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[1, n]',
            'This many records look alike on average: the more, the coarser the data.'
        ),
        (
            22,
            'largest_class',
            cast(null as varchar),
            cast(null as varchar),
            cast(null as varchar),
            '[1, n]',
            'The largest class has this many records.'
        ),
        (
            23,
            'c_avg',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n]',
            'Classes are this many times as large on average as k asks for.'
        ),
        (
            24,
            'discernibility',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n^2]',
            'This many pairs of records look alike, each counted both ways, and a record with itself as one; one that was left out looks like all.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
    union all
    select
        0 as part,
        figures.place,
        figures.metric,
        figures.attribute,
        case figures.place
            when 25 then found.gcp
            when 26 then found.q1_ncp
            when 27 then found.q2_ncp
            when 28 then found.q3_ncp
            when 29 then found.q4_ncp
            when 30 then found.q5_ncp
            when 31 then found.q6_ncp
            when 32 then found.q7_ncp
        end as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from losses as found
    cross join (
        values
        (
            25,
            'gcp',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the quasi-identifiers is lost: 0 is nothing and 1 is everything.'
        ),
        (
            26,
            'ncp',
            'age',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            27,
            'ncp',
            'zip',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            28,
            'ncp',
            'dose',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            29,
            'ncp',
            'admitted',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            30,
            'ncp',
            'sex',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            31,
            'ncp',
            'town',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            32,
            'ncp',
            'visits',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
    union all
    select
        0 as part,
        figures.place,
        figures.metric,
        figures.attribute,
        case figures.place
            when 33 then found.prosecutor_risk
            when 34 then found.marketer_risk
        end as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from risks as found
    cross join (
        values
        (
            33,
            'prosecutor_risk',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'A person who is known to be in the release is picked out of those who look alike with at most this chance.'
        ),
        (
            34,
            'marketer_risk',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Guesses at the person of every record are right for this share of them on average.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
    union all
    select
        0 as part,
        figures.place,
        figures.metric,
        figures.attribute,
        case figures.place
            when 35 then found.unique_records
            when 36 then found.unique_share
            when 37 then found.unique_with_sensitive
            when 38 then found.unique_with_sensitive_share
        end as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from "sqlanon_unique_records" as found
    cross join (
        values
        (
            35,
            'unique_records',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n]',
            'This many records are the only ones with their published quasi-identifiers and insensitive columns.'
        ),
        (
            36,
            'unique_share',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the records are the only ones with their published quasi-identifiers and insensitive columns.'
        ),
        (
            37,
            'unique_with_sensitive',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n]',
            'This many records are the only ones with all that is published of them.'
        ),
        (
            38,
            'unique_with_sensitive_share',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the records are the only ones with all that is published of them.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
    union all
    select
        0 as part,
        figures.place,
        figures.metric,
        figures.attribute,
        case figures.place
            when 42 then found.q1_non_uniform_entropy
            when 43 then found.q2_non_uniform_entropy
            when 44 then found.q3_non_uniform_entropy
            when 45 then found.q4_non_uniform_entropy
            when 46 then found.q5_non_uniform_entropy
            when 47 then found.q6_non_uniform_entropy
            when 48 then found.q7_non_uniform_entropy
        end as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from entropies as found
    cross join (
        values
        (
            42,
            'non_uniform_entropy',
            'age',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        ),
        (
            43,
            'non_uniform_entropy',
            'zip',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        ),
        (
            44,
            'non_uniform_entropy',
            'dose',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        ),
        (
            45,
            'non_uniform_entropy',
            'admitted',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        ),
        (
            46,
            'non_uniform_entropy',
            'sex',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        ),
        (
            47,
            'non_uniform_entropy',
            'town',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        ),
        (
            48,
            'non_uniform_entropy',
            'visits',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Of the bits that tell a record''s value of the attribute this share is lost: 0 is nothing and 1 is everything.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
    union all
    select
        0 as part,
        figures.place,
        figures.metric,
        figures.attribute,
        case figures.place
            when 49 then found.ambiguity
        end as value,
        null as threshold,
        null as failing_classes,
        null as failing_records,
        figures.direction,
        figures.range,
        figures.sentence
    from covers as found
    cross join (
        values
        (
            49,
            'ambiguity',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[1, inf)',
            'A record''s cells could stand for this many combinations of values on average.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
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
        figures.direction,
        figures.range,
        figures.sentence
    from "sqlanon_shares" as found
    inner join (
        values
        (
            39,
            'rare_share',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the records have a value of the column that fewer than k records have, or of all insensitive columns together where none is named.'
        ),
        (
            40,
            'determined_share',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'For this share of the records the column gives the original value of the quasi-identifier back.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
        on found.metric = figures.metric
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
        figures.direction,
        figures.range,
        figures.sentence
    from minorities as found
    inner join (
        values
        (
            41,
            'classification_metric',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'Who takes every class to have its most frequent value is wrong for this share of the records.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
        on found.metric = figures.metric
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
