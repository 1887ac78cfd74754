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
        records.s2 as value_s2,
        records.s3 as value_s3,
        count(*) as frequency
    from "sqlanon_records" as records
    group by records.s1, records.s2, records.s3
),

cells as (
    select
        positions_s1.code as s1,
        positions_s1.position - 1 as place_s1,
        positions_s2.code as s2,
        positions_s2.position - 1 as place_s2,
        positions_s3.code as s3,
        positions_s3.position - 1 as place_s3,
        combinations.frequency
    from combinations
    inner join "sqlanon_positions_s1" as positions_s1
        on
            combinations.value_s1 = positions_s1.value
            or (combinations.value_s1 is null and positions_s1.code = 0)
    inner join "sqlanon_positions_s2" as positions_s2
        on
            combinations.value_s2 = positions_s2.value
            or (combinations.value_s2 is null and positions_s2.code = 0)
    inner join "sqlanon_positions_s3" as positions_s3
        on
            combinations.value_s3 = positions_s3.value
            or (combinations.value_s3 is null and positions_s3.code = 0)
),

blocks as (
    select
        cells.s1,
        cells.s2,
        cells.s3,
        cells.frequency,
        row_number() over (
            order by
                -- Boustrophedon: an attribute runs back where the places before it add up to an
                -- odd number, so that neighbours in the stack are neighbours in the matrix.
                cells.place_s1,
                case
                    when (cells.place_s1) % 2 = 0
                        then cells.place_s2
                    else -cells.place_s2
                end,
                case
                    when (cells.place_s1 + cells.place_s2) % 2 = 0
                        then cells.place_s3
                    else -cells.place_s3
                end
        ) - 1 as block
    from cells
)

select
    blocks.s1,
    blocks.s2,
    blocks.s3,
    blocks.frequency,
    blocks.block,
    cast(
        sum(blocks.frequency) over (order by blocks.block rows unbounded preceding) - blocks.frequency
        as bigint
    ) as start
from blocks
