-- relation: profiles
-- grain: one row per kind of class and combination of sensitive values in it
-- inputs: stack, sizes
-- outputs: class_id, s*, records
-- paper: sqlanon; from Gowda 2023, §3.3.2
-- What dealing will give, known from the frequencies alone: between two places where a block
-- begins or the last one ends, counted modulo the number of classes, all classes hold the same
-- values. The first class of every such stretch stands for it.
with kinds as (
    select stack.start % sizes.classes as class_id
    from "sqlanon_stack" as stack
    cross join "sqlanon_sizes" as sizes
    union
    select sizes.records % sizes.classes as class_id
    from "sqlanon_sizes" as sizes
),

counted as (
    select
        kinds.class_id,
        stack.s1,
        stack.start + stack.frequency - 1 - kinds.class_id + sizes.classes as upto,
        stack.start - 1 - kinds.class_id + sizes.classes as before,
        sizes.classes
    from kinds
    cross join "sqlanon_stack" as stack
    cross join "sqlanon_sizes" as sizes
)

select
    counted.class_id,
    counted.s1,
    cast(
        (counted.upto - counted.upto % counted.classes) / counted.classes
        - (counted.before - counted.before % counted.classes) / counted.classes as bigint
    ) as records
from counted
where
    (counted.upto - counted.upto % counted.classes)
    > (counted.before - counted.before % counted.classes)
