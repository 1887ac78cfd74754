-- relation: one_record
-- grain: one row per person
-- inputs: records
-- outputs: q*, x*|o*
-- paper: none
-- One record of each person: what a person's records have in common counts once.
with numbered as (
    select
        records.q1,
        records.q2,
        records.x1,
        row_number() over (
            partition by records.w1, records.w2
            order by records.q1, records.q2, records.x1
        ) as turn
    from "sqlanon_records" as records
)

select
    numbered.q1,
    numbered.q2,
    numbered.x1
from numbered
where numbered.turn = 1
