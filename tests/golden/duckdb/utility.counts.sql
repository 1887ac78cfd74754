with
fitting_q2 as (
    select
        read_q2.cell,
        sum(case when read_q2.bin between 9 and 12 then read_q2.share else 0 end) as share_1
    from "sqlanon_read_q2_source" as read_q2
    group by read_q2.cell
),

fitting_q7 as (
    select
        read_q7.cell,
        sum(case when read_q7.bin between 13 and 19 then read_q7.share else 0 end) as share_2,
        sum(case when read_q7.bin between 10 and 16 then read_q7.share else 0 end) as share_3
    from "sqlanon_read_q7_source" as read_q7
    group by read_q7.cell
),

fitting_q8 as (
    select
        read_q8.cell,
        sum(case when read_q8.bin between 2 and 2 then read_q8.share else 0 end) as share_2,
        sum(case when read_q8.bin between 1 and 1 then read_q8.share else 0 end) as share_3
    from "sqlanon_read_q8_source" as read_q8
    group by read_q8.cell
),

fitting_q9 as (
    select
        read_q9.cell,
        sum(case when read_q9.bin between 1 and 1 then read_q9.share else 0 end) as share_2
    from "sqlanon_read_q9_source" as read_q9
    group by read_q9.cell
),

fitting_q10 as (
    select
        read_q10.cell,
        sum(case when read_q10.bin between 2 and 3 then read_q10.share else 0 end) as share_1,
        sum(case when read_q10.bin between 8 and 11 then read_q10.share else 0 end) as share_3
    from "sqlanon_read_q10_source" as read_q10
    group by read_q10.cell
),

combined as (
    select
        profiles.q2,
        profiles.q7,
        profiles.q8,
        profiles.q9,
        profiles.q10,
        sum(profiles.records) as records
    from "sqlanon_source_profiles" as profiles
    group by profiles.q2, profiles.q7, profiles.q8, profiles.q9, profiles.q10
)

select
    cast(sum(combined.records * fitting_q2.share_1 * fitting_q10.share_1) as double) as count_1,
    cast(sum(combined.records * fitting_q7.share_2 * fitting_q8.share_2 * fitting_q9.share_2) as double) as count_2,
    cast(sum(combined.records * fitting_q7.share_3 * fitting_q8.share_3 * fitting_q10.share_3) as double) as count_3
from combined
inner join fitting_q2
    on combined.q2 = fitting_q2.cell
inner join fitting_q7
    on combined.q7 = fitting_q7.cell
inner join fitting_q8
    on combined.q8 = fitting_q8.cell
inner join fitting_q9
    on combined.q9 = fitting_q9.cell
inner join fitting_q10
    on combined.q10 = fitting_q10.cell
