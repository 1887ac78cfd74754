-- relation: stripe_stacks
-- grain: one row per combination of sensitive values
-- inputs: stack
-- outputs: stripe, s*, block, frequency, start, classes, first_class, pile, first_place
-- paper: Gowda 2023, §3.3
-- The stack of one stripe that holds all records is the stack itself.
with sizes as (
    select cast(sum(stack.frequency) as bigint) as records
    from "sqlanon_stack" as stack
)

select
    0 as stripe,
    stack.s1,
    stack.block,
    stack.frequency,
    stack.start,
    cast((sizes.records - sizes.records % 3) / 3 as bigint) as classes,
    0 as first_class,
    stack.block as pile,
    0 as first_place
from "sqlanon_stack" as stack
cross join sizes
