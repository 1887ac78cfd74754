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
    cast(
        (counted.upto - counted.upto % counted.classes) / counted.classes
        - (counted.before - counted.before % counted.classes) / counted.classes as bigint
    ) as records
from counted
where
    (counted.upto - counted.upto % counted.classes)
    > (counted.before - counted.before % counted.classes)
