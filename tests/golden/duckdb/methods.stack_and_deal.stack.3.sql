-- relation: stack
-- grain: one row per combination of sensitive values in the data
-- inputs: records, positions_*
-- outputs: s*, frequency, block, start
-- paper: Gowda 2023, §3.3.1 (one sensitive attribute), §5.3 (several)
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with combinations as (
    select
        records.s1 as value_s1,
        count(*) as frequency
    from "sqlanon_unit_values" as records
    group by records.s1
),

cells as (
    select
        positions_s1.code as s1,
        positions_s1.position - 1 as place_s1,
        combinations.frequency
    from combinations
    inner join "sqlanon_unit_positions_s1" as positions_s1
        on
            combinations.value_s1 = positions_s1.value
            or (combinations.value_s1 is null and positions_s1.code = 0)
),

blocks as (
    select
        cells.s1,
        cells.frequency,
        row_number() over (
            order by
                cells.place_s1
        ) - 1 as block
    from cells
)

select
    blocks.s1,
    blocks.frequency,
    blocks.block,
    cast(
        sum(blocks.frequency) over (order by blocks.block rows unbounded preceding) - blocks.frequency
        as bigint
    ) as start
from blocks
