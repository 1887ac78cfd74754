with counted as (
    select cast(sum(stack.frequency) as bigint) as records
    from "sqlanon_stack" as stack
),

asked as (
    select cast(listed.classes as bigint) as classes
    from (
        values
        (12),
        (24)
    ) as listed (classes)
)

select
    counted.records,
    asked.classes
from counted
cross join asked
