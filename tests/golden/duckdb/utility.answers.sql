with combined as (
    select
        profiles.q1,
        profiles.q3,
        profiles.q4,
        profiles.q5,
        profiles.q6,
        profiles.q10,
        sum(profiles.records) as records
    from "sqlanon_source_profiles" as profiles
    group by profiles.q1, profiles.q3, profiles.q4, profiles.q5, profiles.q6, profiles.q10
)

select
    cast(sum(combined.records * met_q5.share_1 * met_q10.share_1 * met_q3.total_1) as double) as found_1,
    cast(sum(combined.records * met_q5.share_1 * met_q10.share_1 * met_q3.known_1) as double) as weight_1,
    cast(sum(combined.records * met_q4.share_2 * met_q6.share_2) as double) as found_2,
    cast(1 as double) as weight_2,
    cast(sum(combined.records * met_q1.total_3) as double) as found_3,
    cast(sum(combined.records * met_q1.known_3) as double) as weight_3
from combined
inner join "sqlanon_met_q1_source" as met_q1
    on combined.q1 = met_q1.cell
inner join "sqlanon_met_q3_source" as met_q3
    on combined.q3 = met_q3.cell
inner join "sqlanon_met_q4_source" as met_q4
    on combined.q4 = met_q4.cell
inner join "sqlanon_met_q5_source" as met_q5
    on combined.q5 = met_q5.cell
inner join "sqlanon_met_q6_source" as met_q6
    on combined.q6 = met_q6.cell
inner join "sqlanon_met_q10_source" as met_q10
    on combined.q10 = met_q10.cell
