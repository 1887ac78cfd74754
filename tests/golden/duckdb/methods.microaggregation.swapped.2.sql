-- relation: shares
-- grain: one row per cell and class that holds records of it
-- inputs: shares, swaps
-- outputs: class_id, cell_id, block, records
-- paper: none
-- The classes after some changed a record with each other.
with blocks as (
    select
        shares.class_id,
        min(shares.block) as block
    from "sqlanon_micro_swapped_1" as shares
    group by shares.class_id
),

moved as (
    select
        shares.class_id,
        shares.cell_id,
        shares.records
    from "sqlanon_micro_swapped_1" as shares
    union all
    select
        swaps.class_id,
        swaps.out_cell as cell_id,
        -1 as records
    from "sqlanon_micro_swaps" as swaps
    union all
    select
        swaps.into_class as class_id,
        swaps.out_cell as cell_id,
        1 as records
    from "sqlanon_micro_swaps" as swaps
    union all
    select
        swaps.class_id,
        swaps.in_cell as cell_id,
        1 as records
    from "sqlanon_micro_swaps" as swaps
    union all
    select
        swaps.into_class as class_id,
        swaps.in_cell as cell_id,
        -1 as records
    from "sqlanon_micro_swaps" as swaps
)

select
    moved.class_id,
    moved.cell_id,
    blocks.block,
    cast(sum(moved.records) as bigint) as records
from moved
inner join blocks
    on moved.class_id = blocks.class_id
group by moved.class_id, moved.cell_id, blocks.block
having sum(moved.records) > 0
