-- relation: check_tied
-- grain: one row if the sensitive values are not as many as the records of their groups
-- inputs: groups, tied
-- outputs: groups
-- paper: none
with both_sides as (
    select
        formed.class_id,
        formed.records,
        0 as wrong
    from "sqlanon_group_sizes" as formed
    union all
    select
        tied.p0 as class_id,
        -1 as records,
        0 as wrong
    from "sqlanon_tied" as tied
),

uneven as (
    select both_sides.class_id
    from both_sides
    group by both_sides.class_id
    having sum(both_sides.records) <> 0 or max(both_sides.wrong) > 0 or both_sides.class_id is null
)

select count(*) as groups
from uneven
having count(*) > 0
