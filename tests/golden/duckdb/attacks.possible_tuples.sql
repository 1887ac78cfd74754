-- relation: possible_tuples
-- grain: one row per class
-- inputs: tuples
-- outputs: class_id, records, possible, capped
-- paper: Li, Li, Zhang and Molloy 2012, §5 (fake tuples)
-- The tuples that can be put together of a group's parts: the product of how many different ones it has of every
-- slice. More than 10^18 count as 10^18, and capped is then 1: what is smaller is exact.
with sizes as (
    select
        tuples.p0 as class_id,
        cast(sum(tuples.records) as bigint) as records
    from "sqlanon_published_tuples" as tuples
    group by tuples.p0
),

parts_1 as (
    select distinct
        tuples.p0 as class_id,
        tuples.p2
    from "sqlanon_published_tuples" as tuples
),

counted_1 as (
    select
        parts_1.class_id,
        count(*) as parts
    from parts_1
    group by parts_1.class_id
),

product_1 as (
    select
        counted_1.class_id,
        counted_1.parts as possible,
        0 as capped
    from counted_1
),

parts_2 as (
    select distinct
        tuples.p0 as class_id,
        tuples.p1
    from "sqlanon_published_tuples" as tuples
),

counted_2 as (
    select
        parts_2.class_id,
        count(*) as parts
    from parts_2
    group by parts_2.class_id
),

product_2 as (
    select
        counted_2.class_id,
        case
            when cast(product_1.possible as double) * counted_2.parts > 4000000000000000000 then 1000000000000000000
            when product_1.possible * counted_2.parts > 1000000000000000000 then 1000000000000000000
            else product_1.possible * counted_2.parts
        end as possible,
        case
            when product_1.capped = 1 then 1
            when cast(product_1.possible as double) * counted_2.parts > 4000000000000000000 then 1
            when product_1.possible * counted_2.parts > 1000000000000000000 then 1
            else 0
        end as capped
    from product_1
    inner join counted_2
        on product_1.class_id = counted_2.class_id
),

parts_3 as (
    select distinct
        tuples.p0 as class_id,
        tuples.p3
    from "sqlanon_published_tuples" as tuples
),

counted_3 as (
    select
        parts_3.class_id,
        count(*) as parts
    from parts_3
    group by parts_3.class_id
),

product_3 as (
    select
        counted_3.class_id,
        case
            when cast(product_2.possible as double) * counted_3.parts > 4000000000000000000 then 1000000000000000000
            when product_2.possible * counted_3.parts > 1000000000000000000 then 1000000000000000000
            else product_2.possible * counted_3.parts
        end as possible,
        case
            when product_2.capped = 1 then 1
            when cast(product_2.possible as double) * counted_3.parts > 4000000000000000000 then 1
            when product_2.possible * counted_3.parts > 1000000000000000000 then 1
            else 0
        end as capped
    from product_2
    inner join counted_3
        on product_2.class_id = counted_3.class_id
),

reached as (
    select
        product_3.class_id,
        product_3.possible,
        product_3.capped
    from product_3
)

select
    sizes.class_id,
    sizes.records,
    cast(reached.possible as bigint) as possible,
    reached.capped
from sizes
inner join reached
    on sizes.class_id = reached.class_id
