select
    cast(0 as bigint) as stem,
    tuples.records,
    cast(
        case
            when tuples.q1 >= 2 then 2
            when tuples.q1 >= 1 then 1
            else 0
        end
        as bigint
    ) as q1_part_0,
    cast(
        case
            when tuples.q1 >= 2 then 0
            when tuples.q1 >= 1 then 0
            else 0
        end
        as bigint
    ) as q1_loss_0,
    cast(
        case
            when tuples.q2 >= 1 then 1
            else 0
        end
        as bigint
    ) as q2_part_0,
    cast(
        case
            when tuples.q2 >= 1 then 0
            else 0
        end
        as bigint
    ) as q2_loss_0
from "sqlanon_split_tuples" as tuples
