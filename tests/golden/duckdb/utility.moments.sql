-- relation: moments
-- grain: one row
-- inputs: profiles, left_numbers, right_numbers
-- outputs: weight, x, y, xx, yy, xy
-- paper: none
-- The sums that a correlation is made of, over records that have both numbers, each above the least of the
-- source; the two are read independently within a record.
select
    sum(profiles.records * left_numbers.known * right_numbers.known) as weight,
    sum(profiles.records * left_numbers.above * right_numbers.known) as x,
    sum(profiles.records * left_numbers.known * right_numbers.above) as y,
    sum(profiles.records * left_numbers.square * right_numbers.known) as xx,
    sum(profiles.records * left_numbers.known * right_numbers.square) as yy,
    sum(profiles.records * left_numbers.above * right_numbers.above) as xy
from "sqlanon_source_profiles" as profiles
inner join "sqlanon_numbers_q1_source" as left_numbers
    on profiles.q1 = left_numbers.cell
inner join "sqlanon_numbers_q3_source" as right_numbers
    on profiles.q3 = right_numbers.cell
