-- relation: tuples
-- grain: one row per combination of bins in the source
-- inputs: source, source_q*
-- outputs: bin_q*|bin_s*, records
-- paper: none
-- How many records of the source lie in each combination of bins. A value lies in one bin.
select
    read_q1.bin as bin_q1,
    read_q2.bin as bin_q2,
    read_q3.bin as bin_q3,
    read_q4.bin as bin_q4,
    read_q5.bin as bin_q5,
    read_q6.bin as bin_q6,
    read_q7.bin as bin_q7,
    cast(sum(profiles.records) as double) as records
from "sqlanon_source_profiles" as profiles
inner join "sqlanon_read_q1_source" as read_q1
    on profiles.q1 = read_q1.cell
inner join "sqlanon_read_q2_source" as read_q2
    on profiles.q2 = read_q2.cell
inner join "sqlanon_read_q3_source" as read_q3
    on profiles.q3 = read_q3.cell
inner join "sqlanon_read_q4_source" as read_q4
    on profiles.q4 = read_q4.cell
inner join "sqlanon_read_q5_source" as read_q5
    on profiles.q5 = read_q5.cell
inner join "sqlanon_read_q6_source" as read_q6
    on profiles.q6 = read_q6.cell
inner join "sqlanon_read_q7_source" as read_q7
    on profiles.q7 = read_q7.cell
group by read_q1.bin, read_q2.bin, read_q3.bin, read_q4.bin, read_q5.bin, read_q6.bin, read_q7.bin
