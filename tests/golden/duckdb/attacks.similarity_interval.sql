-- relation: similarity
-- grain: one row per class
-- inputs: class_values
-- outputs: class_id, records, value, exposed
-- paper: Li et al. 2007, §3 (the similarity attack); Kiran & Kavya 2012, §3
-- The share of a class whose values lie among neighbours in their order, of which so many are a tenth of
-- all values of the release; exposed is 1 where all of it does. NULL is nobody's neighbour.
with present as (
    select distinct class_values.code
    from "sqlanon_class_values_s2" as class_values
),

ranked as (
    select
        present.code,
        row_number() over (order by present.code) as place
    from present
    where present.code > 0
),

width as (
    select cast((count(*) + 9 - (count(*) + 9) % 10) / 10 as bigint) as places
    from ranked
),

placed as (
    select
        class_values.class_id,
        ranked.place,
        cast(class_values.records as bigint) as records
    from "sqlanon_class_values_s2" as class_values
    inner join ranked
        on class_values.code = ranked.code
),

-- A stretch is best begun at a value that the class has.
cumulated as (
    select
        placed.class_id,
        placed.place,
        cast(
            sum(placed.records) over (
                partition by placed.class_id
                order by placed.place
                rows unbounded preceding
            ) as bigint
        ) as upto,
        placed.records
    from placed
),

-- Each value, and each end of a stretch that begins at a value, in one order: the sum up to an end is that
-- up to the last value before it.
ends as (
    select
        cumulated.class_id,
        cumulated.place,
        cumulated.upto,
        cast(null as bigint) as before
    from cumulated
    union all
    select
        cumulated.class_id,
        cumulated.place + width.places - 1 as place,
        cast(null as bigint) as upto,
        cumulated.upto - cumulated.records as before
    from cumulated
    cross join width
),

stretches as (
    select
        ends.class_id,
        max(ends.upto) over (
            partition by ends.class_id
            order by ends.place, coalesce(ends.before, -1)
            rows unbounded preceding
        ) - ends.before as alike
    from ends
),

longest as (
    select
        stretches.class_id,
        cast(max(stretches.alike) as bigint) as alike
    from stretches
    group by stretches.class_id
),

sizes as (
    select
        class_values.class_id,
        cast(sum(class_values.records) as bigint) as records
    from "sqlanon_class_values_s2" as class_values
    group by class_values.class_id
)

select
    sizes.class_id,
    sizes.records,
    round(cast(coalesce(longest.alike, 0) as double) / sizes.records, 9) as value,
    case when longest.alike = sizes.records then 1 else 0 end as exposed
from sizes
left join longest
    on sizes.class_id = longest.class_id
