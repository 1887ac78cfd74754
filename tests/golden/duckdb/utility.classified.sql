with training as (
    select
        profiles.q8,
        profiles.q1,
        profiles.q2,
        profiles.q3,
        profiles.q4,
        profiles.q5,
        profiles.q6,
        profiles.q7,
        sum(profiles.records) as records
    from "sqlanon_source_profiles" as profiles
    group by profiles.q8, profiles.q1, profiles.q2, profiles.q3, profiles.q4, profiles.q5, profiles.q6, profiles.q7
),

answers as (
    select
        read_q8.bin as answer,
        sum(training.records * read_q8.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    group by read_q8.bin
),

joint_q1 as (
    select
        read_q8.bin as answer,
        read_q1.bin,
        sum(training.records * read_q8.share * read_q1.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q1_source" as read_q1
        on training.q1 = read_q1.cell
    group by read_q8.bin, read_q1.bin
),

bins_q1 as (
    select count(distinct source_q1.bin) as bins
    from "sqlanon_read_q1_source" as source_q1
),

joint_q2 as (
    select
        read_q8.bin as answer,
        read_q2.bin,
        sum(training.records * read_q8.share * read_q2.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q2_source" as read_q2
        on training.q2 = read_q2.cell
    group by read_q8.bin, read_q2.bin
),

bins_q2 as (
    select count(distinct source_q2.bin) as bins
    from "sqlanon_read_q2_source" as source_q2
),

joint_q3 as (
    select
        read_q8.bin as answer,
        read_q3.bin,
        sum(training.records * read_q8.share * read_q3.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q3_source" as read_q3
        on training.q3 = read_q3.cell
    group by read_q8.bin, read_q3.bin
),

bins_q3 as (
    select count(distinct source_q3.bin) as bins
    from "sqlanon_read_q3_source" as source_q3
),

joint_q4 as (
    select
        read_q8.bin as answer,
        read_q4.bin,
        sum(training.records * read_q8.share * read_q4.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q4_source" as read_q4
        on training.q4 = read_q4.cell
    group by read_q8.bin, read_q4.bin
),

bins_q4 as (
    select count(distinct source_q4.bin) as bins
    from "sqlanon_read_q4_source" as source_q4
),

joint_q5 as (
    select
        read_q8.bin as answer,
        read_q5.bin,
        sum(training.records * read_q8.share * read_q5.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q5_source" as read_q5
        on training.q5 = read_q5.cell
    group by read_q8.bin, read_q5.bin
),

bins_q5 as (
    select count(distinct source_q5.bin) as bins
    from "sqlanon_read_q5_source" as source_q5
),

joint_q6 as (
    select
        read_q8.bin as answer,
        read_q6.bin,
        sum(training.records * read_q8.share * read_q6.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q6_source" as read_q6
        on training.q6 = read_q6.cell
    group by read_q8.bin, read_q6.bin
),

bins_q6 as (
    select count(distinct source_q6.bin) as bins
    from "sqlanon_read_q6_source" as source_q6
),

joint_q7 as (
    select
        read_q8.bin as answer,
        read_q7.bin,
        sum(training.records * read_q8.share * read_q7.share) as mass
    from training
    inner join "sqlanon_read_q8_source" as read_q8
        on training.q8 = read_q8.cell
    inner join "sqlanon_read_q7_source" as read_q7
        on training.q7 = read_q7.cell
    group by read_q8.bin, read_q7.bin
),

bins_q7 as (
    select count(distinct source_q7.bin) as bins
    from "sqlanon_read_q7_source" as source_q7
),

tested as (
    select
        source_q1.bin as q1,
        source_q2.bin as q2,
        source_q3.bin as q3,
        source_q4.bin as q4,
        source_q5.bin as q5,
        source_q6.bin as q6,
        source_q7.bin as q7,
        source_q8.bin as answer,
        sum(tests.records) as records
    from "sqlanon_source_profiles" as tests
    inner join "sqlanon_read_q1_source" as source_q1
        on tests.q1 = source_q1.cell
    inner join "sqlanon_read_q2_source" as source_q2
        on tests.q2 = source_q2.cell
    inner join "sqlanon_read_q3_source" as source_q3
        on tests.q3 = source_q3.cell
    inner join "sqlanon_read_q4_source" as source_q4
        on tests.q4 = source_q4.cell
    inner join "sqlanon_read_q5_source" as source_q5
        on tests.q5 = source_q5.cell
    inner join "sqlanon_read_q6_source" as source_q6
        on tests.q6 = source_q6.cell
    inner join "sqlanon_read_q7_source" as source_q7
        on tests.q7 = source_q7.cell
    inner join "sqlanon_read_q8_source" as source_q8
        on tests.q8 = source_q8.cell
    where (1 * tests.q1 + 2 * tests.q2 + 3 * tests.q3 + 4 * tests.q4 + 1 * tests.q5 + 2 * tests.q6 + 3 * tests.q7) % 5 = 0
    group by source_q1.bin, source_q2.bin, source_q3.bin, source_q4.bin, source_q5.bin, source_q6.bin, source_q7.bin, source_q8.bin
),

asked as (
    select distinct
        tested.q1,
        tested.q2,
        tested.q3,
        tested.q4,
        tested.q5,
        tested.q6,
        tested.q7
    from tested
),

totals as (
    select
        sum(answers.mass) as mass,
        count(*) as answers
    from answers
),

scores as (
    select
        asked.q1,
        asked.q2,
        asked.q3,
        asked.q4,
        asked.q5,
        asked.q6,
        asked.q7,
        answers.answer,
        round(
            ln((answers.mass + 1e0) / (totals.mass + totals.answers))
            + ln((coalesce(joint_q1.mass, 0) + 1e0) / (answers.mass + bins_q1.bins))
            + ln((coalesce(joint_q2.mass, 0) + 1e0) / (answers.mass + bins_q2.bins))
            + ln((coalesce(joint_q3.mass, 0) + 1e0) / (answers.mass + bins_q3.bins))
            + ln((coalesce(joint_q4.mass, 0) + 1e0) / (answers.mass + bins_q4.bins))
            + ln((coalesce(joint_q5.mass, 0) + 1e0) / (answers.mass + bins_q5.bins))
            + ln((coalesce(joint_q6.mass, 0) + 1e0) / (answers.mass + bins_q6.bins))
            + ln((coalesce(joint_q7.mass, 0) + 1e0) / (answers.mass + bins_q7.bins)),
            9
        ) as score
    from asked
    cross join answers
    cross join totals
    cross join bins_q1
    left join joint_q1
        on asked.q1 = joint_q1.bin and answers.answer = joint_q1.answer
    cross join bins_q2
    left join joint_q2
        on asked.q2 = joint_q2.bin and answers.answer = joint_q2.answer
    cross join bins_q3
    left join joint_q3
        on asked.q3 = joint_q3.bin and answers.answer = joint_q3.answer
    cross join bins_q4
    left join joint_q4
        on asked.q4 = joint_q4.bin and answers.answer = joint_q4.answer
    cross join bins_q5
    left join joint_q5
        on asked.q5 = joint_q5.bin and answers.answer = joint_q5.answer
    cross join bins_q6
    left join joint_q6
        on asked.q6 = joint_q6.bin and answers.answer = joint_q6.answer
    cross join bins_q7
    left join joint_q7
        on asked.q7 = joint_q7.bin and answers.answer = joint_q7.answer
),

ranked as (
    select
        scores.q1,
        scores.q2,
        scores.q3,
        scores.q4,
        scores.q5,
        scores.q6,
        scores.q7,
        scores.answer,
        row_number() over (
            partition by scores.q1, scores.q2, scores.q3, scores.q4, scores.q5, scores.q6, scores.q7
            order by scores.score desc, scores.answer asc
        ) as rank
    from scores
),

commonest as (
    select answers.answer
    from answers
    order by round(answers.mass, 6) desc, answers.answer asc
    limit 1
),

predicted as (
    select
        ranked.answer,
        sum(tested.records) as predicted,
        sum(case when ranked.answer = tested.answer then tested.records else 0 end) as met
    from tested
    inner join ranked
        on
            ranked.rank = 1
            and tested.q1 = ranked.q1
            and tested.q2 = ranked.q2
            and tested.q3 = ranked.q3
            and tested.q4 = ranked.q4
            and tested.q5 = ranked.q5
            and tested.q6 = ranked.q6
            and tested.q7 = ranked.q7
    group by ranked.answer
),

true_answers as (
    select
        tested.answer,
        sum(tested.records) as records
    from tested
    group by tested.answer
)

select
    coalesce(true_answers.answer, predicted.answer) as answer,
    cast(coalesce(true_answers.records, 0) as bigint) as records,
    cast(coalesce(predicted.predicted, 0) as bigint) as predicted,
    cast(coalesce(predicted.met, 0) as bigint) as met,
    case when commonest.answer is null then 0 else 1 end as commonest
from true_answers
full join predicted
    on true_answers.answer = predicted.answer
left join commonest
    on true_answers.answer = commonest.answer
