-- relation: groups
-- grain: one row per class as formed
-- inputs: assigned
-- outputs: class_id, group_id, records
-- paper: Xiao & Tao 2006, §3
-- A group is published under a number that tells nothing: the classes in a seeded order.
with classes as (
    select
        assigned.class_id,
        count(*) as records
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

digested as (
    select
        classes.class_id,
        classes.records,
        (cast(0 as bigint) * 48271 + classes.class_id) % 2147483647 as digest
    from classes
),

shuffled as (
    select
        digested.class_id,
        digested.records,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as shuffle
    from digested
)

select
    shuffled.class_id,
    cast(row_number() over (order by shuffled.shuffle, shuffled.class_id) as integer) as group_id,
    shuffled.records
from shuffled
