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
