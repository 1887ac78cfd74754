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
        case when extremes.place in (1, 2, 3) then extremes.least else extremes.greatest end as value,
        case when extremes.place in (1, 5) then failing.failing_classes else 0 end as failing_classes,
        case when extremes.place in (1, 5) then failing.failing_records else 0 end as failing_records
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
            when 6 then found.records
            when 7 then found.classes
            when 8 then found.average_class_size
            when 9 then found.largest_class
            when 10 then found.c_avg
            when 11 then found.discernibility
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
            6,
            'records',
            cast(null as varchar),
            cast(null as varchar),
            cast(null as varchar),
            '[0, inf)',
            'The release has this many records.'
        ),
        (
            7,
            'classes',
            cast(null as varchar),
            cast(null as varchar),
            cast(null as varchar),
            '[0, n]',
            'A reader sees this many classes of records that look alike.'
        ),
        (
            8,
            'average_class_size',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[1, n]',
            'This many records look alike on average: the more, the coarser the data.'
        ),
        (
            9,
            'largest_class',
            cast(null as varchar),
            cast(null as varchar),
            cast(null as varchar),
            '[1, n]',
            'The largest class has this many records.'
        ),
        (
            10,
            'c_avg',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n]',
            'Classes are this many times as large on average as k asks for.'
        ),
        (
            11,
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
            when 12 then found.gcp
            when 13 then found.q1_ncp
            when 14 then found.q2_ncp
            when 15 then found.q3_ncp
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
            12,
            'gcp',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the quasi-identifiers is lost: 0 is nothing and 1 is everything.'
        ),
        (
            13,
            'ncp',
            'age',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            14,
            'ncp',
            'zip',
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the information in the attribute is lost: 0 is nothing and 1 is everything.'
        ),
        (
            15,
            'ncp',
            'admitted',
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
            when 16 then found.prosecutor_risk
            when 17 then found.marketer_risk
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
            16,
            'prosecutor_risk',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'A person who is known to be in the release is picked out of those who look alike with at most this chance.'
        ),
        (
            17,
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
            when 18 then found.unique_records
            when 19 then found.unique_share
            when 20 then found.unique_with_sensitive
            when 21 then found.unique_with_sensitive_share
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
            18,
            'unique_records',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n]',
            'This many records are the only ones with their published quasi-identifiers and insensitive columns.'
        ),
        (
            19,
            'unique_share',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the records are the only ones with their published quasi-identifiers and insensitive columns.'
        ),
        (
            20,
            'unique_with_sensitive',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, n]',
            'This many records are the only ones with all that is published of them.'
        ),
        (
            21,
            'unique_with_sensitive_share',
            cast(null as varchar),
            cast(null as varchar),
            'lower',
            '[0, 1]',
            'This share of the records are the only ones with all that is published of them.'
        )
    ) as figures (place, metric, attribute, threshold, direction, range, sentence)
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
