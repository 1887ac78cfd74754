-- relation: ended
-- grain: one row
-- inputs: begun, carved_values, accepted_values
-- outputs: turn, classes, refused, is_last
-- paper: none
-- Where a turn of carving ends. It is the last one if there are no more lattice nodes, or too few records
-- for two classes: then all that is left over is one class, whatever were taken from it.
with carved as (
    select count(distinct carved_values.group_id) as classes
    from "sqlanon_carve_carved" as carved_values
),

accepted as (
    select
        count(distinct accepted_values.class_id) as classes,
        cast(coalesce(sum(accepted_values.taken), 0) as bigint) as records
    from "sqlanon_carve_accepted" as accepted_values
)

select
    begun.turn + 1 as turn,
    begun.classes + accepted.classes as classes,
    case when accepted.classes < carved.classes then 1 else begun.refused end as refused,
    case when begun.turn >= 3 or begun.records - accepted.records < 40 then 1 else 0 end as is_last
from "sqlanon_carve_begun" as begun
cross join carved
cross join accepted
