-- relation: histogram
-- grain: one row per bin
-- inputs: classes
-- outputs: bin, starts, width, classes, records
-- paper: none
-- How many classes, and records in them, have a measure between one value and the next, in bins of one width
-- from the least value to the greatest; of whole numbers a bin holds so many of them.
with measured as (
    select
        classes.records,
        cast(classes."records" as double) as amount
    from "patients_public__classes" as classes
    where classes."records" is not null
),

ends as (
    select
        min(measured.amount) as lowest,
        max(measured.amount) as highest
    from measured
),

scale as (
    select
        ends.lowest,
        floor((ends.highest - ends.lowest) / 24) + 1 as width
    from ends
),

placed as (
    select
        measured.records,
        scale.lowest,
        scale.width,
        case
            when scale.width > 0
                then least(cast(floor((measured.amount - scale.lowest) / scale.width) as integer), 23)
            else 0
        end as bin
    from measured
    cross join scale
)

select
    placed.bin,
    placed.lowest + placed.bin * placed.width as starts,
    placed.width,
    count(*) as classes,
    cast(sum(placed.records) as bigint) as records
from placed
group by
    placed.bin,
    placed.lowest,
    placed.width
order by placed.bin
