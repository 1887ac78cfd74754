-- relation: shuffled
-- grain: one row per record
-- inputs: assigned, groups, placed
-- outputs: group_id, place, q*, s*
-- paper: Zhang et al. 2007, §3
-- Values for every place of a group: the group's values in their own order go to its places in a
-- seeded order. Whose they were is known to neither order, so that not even the seed gives it back.
-- Several attributes stay together.
with group_values as (
    select
        formed.group_id,
        assigned.q2,
        row_number() over (
            partition by formed.group_id order by assigned.q2
        ) as turn
    from "sqlanon_suppressed" as assigned
    inner join "sqlanon_groups" as formed
        on assigned.class_id = formed.class_id
),

digested as (
    select
        placed.group_id,
        placed.place,
        ((cast(1 as bigint) * 48271 + placed.group_id) % 2147483647 * 48271 + placed.place) % 2147483647 as digest
    from "sqlanon_placed" as placed
),

scattered as (
    select
        digested.group_id,
        digested.place,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as shuffle
    from digested
),

turns as (
    select
        scattered.group_id,
        scattered.place,
        row_number() over (
            partition by scattered.group_id order by scattered.shuffle, scattered.place
        ) as turn
    from scattered
)

select
    turns.group_id,
    turns.place,
    group_values.q2
from turns
inner join group_values
    on turns.group_id = group_values.group_id and turns.turn = group_values.turn
