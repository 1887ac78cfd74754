-- relation: placed
-- grain: one row per combination of bins and sensitive values in the data
-- inputs: tuples
-- outputs: stem, s*|b*, records, q*_part_*|q*_loss_*
-- paper: none
-- Every combination with its group in each set of splits that is to be judged, counted from 0, and what
-- publishing that group loses. No attribute is alike in all of them, so the groups have no stem.
select
    cast(0 as bigint) as stem,
    tuples.s1,
    tuples.records,
    cast(
        0
        as bigint
    ) as q1_part_0,
    cast(
        333333333
        as bigint
    ) as q1_loss_0,
    cast(
        case
            when tuples.q1 >= 2 then 2
            when tuples.q1 >= 1 then 1
            else 0
        end
        as bigint
    ) as q1_part_1,
    cast(
        case
            when tuples.q1 >= 2 then 107344633
            when tuples.q1 >= 1 then 107344633
            else 107344633
        end
        as bigint
    ) as q1_loss_1,
    cast(
        0
        as bigint
    ) as q2_part_0,
    cast(
        333333333
        as bigint
    ) as q2_loss_0,
    cast(
        case
            when tuples.q2 >= 2 then 2
            when tuples.q2 >= 1 then 1
            else 0
        end
        as bigint
    ) as q2_part_1,
    cast(
        case
            when tuples.q2 >= 2 then 83333333
            when tuples.q2 >= 1 then 0
            else 83333333
        end
        as bigint
    ) as q2_loss_1,
    cast(
        0
        as bigint
    ) as q3_part_0,
    cast(
        333333333
        as bigint
    ) as q3_loss_0,
    cast(
        case
            when tuples.q3 >= 2 then 2
            when tuples.q3 >= 1 then 1
            else 0
        end
        as bigint
    ) as q3_part_1,
    cast(
        case
            when tuples.q3 >= 2 then 106060606
            when tuples.q3 >= 1 then 106060606
            else 90909091
        end
        as bigint
    ) as q3_loss_1
from "sqlanon_split_tuples" as tuples
