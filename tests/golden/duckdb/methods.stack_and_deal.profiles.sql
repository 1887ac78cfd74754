-- relation: profiles
-- grain: one row per kind of class, for each number of classes, and combination of sensitive values in it
-- inputs: stack, sizes
-- outputs: class_id, classes, s*, records
-- paper: sqlanon; from Gowda 2023, §3.3.2
-- What dealing will give, known from the frequencies alone: between two places where a block
-- begins or the last one ends, counted modulo the number of classes, all classes hold the same
-- values. The first class of every such stretch stands for it.
with places as (
    select
        sizes.classes,
        stack.start % sizes.classes as place
    from "sqlanon_stack" as stack
    cross join "sqlanon_sizes" as sizes
    union
    select
        sizes.classes,
        sizes.records % sizes.classes as place
    from "sqlanon_sizes" as sizes
),

kinds as (
    select
        row_number() over (order by places.classes, places.place) as class_id,
        places.classes,
        places.place
    from places
),

counted as (
    select
        kinds.class_id,
        stack.s1,
        stack.s2,
        stack.s3,
        stack.start + stack.frequency - 1 - kinds.place + kinds.classes as upto,
        stack.start - 1 - kinds.place + kinds.classes as before,
        kinds.classes
    from kinds
    cross join "sqlanon_stack" as stack
)

select
    counted.class_id,
    counted.classes,
    counted.s1,
    counted.s2,
    counted.s3,
    cast(
        (counted.upto - counted.upto % counted.classes) / counted.classes
        - (counted.before - counted.before % counted.classes) / counted.classes as bigint
    ) as records
from counted
where
    (counted.upto - counted.upto % counted.classes)
    > (counted.before - counted.before % counted.classes)
