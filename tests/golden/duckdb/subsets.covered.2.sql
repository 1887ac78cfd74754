-- relation: covered
-- grain: one row per class as formed and code that its cells cover
-- inputs: assigned, blocks_*
-- outputs: class_id, q*
-- paper: none
-- What the cells of every class are to cover: its own codes, and of the columns that are in blocks the
-- least and the greatest code of its block; of those that are published as sets, all of them.
with own as (
    select
        assigned.class_id,
        min(assigned.q1) as q1,
        min(assigned.q2) as q2
    from "sqlanon_followed" as assigned
    group by assigned.class_id
),

extents_1 as (
    select
        blocks.block,
        min(assigned.q1) as q1_low,
        max(assigned.q1) as q1_high
    from "sqlanon_followed" as assigned
    inner join "sqlanon_subset_blocks_1" as blocks
        on assigned.class_id = blocks.class_id
    group by blocks.block
),

members_q1 as (
    select
        blocks.block,
        assigned.q1
    from "sqlanon_followed" as assigned
    inner join "sqlanon_subset_blocks_1" as blocks
        on assigned.class_id = blocks.class_id
    group by blocks.block, assigned.q1
),

rows_covered as (
    select
        assigned.class_id,
        assigned.q1,
        assigned.q2
    from "sqlanon_followed" as assigned
    union all
    select
        own.class_id,
        extents.q1_low as q1,
        own.q2
    from own
    inner join "sqlanon_subset_blocks_1" as blocks
        on own.class_id = blocks.class_id
    inner join extents_1 as extents
        on blocks.block = extents.block
    union all
    select
        own.class_id,
        extents.q1_high as q1,
        own.q2
    from own
    inner join "sqlanon_subset_blocks_1" as blocks
        on own.class_id = blocks.class_id
    inner join extents_1 as extents
        on blocks.block = extents.block
    union all
    select
        own.class_id,
        members.q1,
        own.q2
    from own
    inner join "sqlanon_subset_blocks_1" as blocks
        on own.class_id = blocks.class_id
    inner join members_q1 as members
        on blocks.block = members.block
)

select
    rows_covered.class_id,
    rows_covered.q1,
    rows_covered.q2
from rows_covered
group by
    rows_covered.class_id,
    rows_covered.q1,
    rows_covered.q2
