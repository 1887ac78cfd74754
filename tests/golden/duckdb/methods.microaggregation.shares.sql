-- relation: shares
-- grain: one row per cell and class that holds records of it
-- inputs: lots
-- outputs: class_id, cell_id, block, records
-- paper: none
-- The groups of all blocks as classes. They may be joined with any of their cluster, which is a block now.
select
    lots.block * 240 + lots.number as class_id,
    lots.cell_id,
    cast(floor((lots.block) / cast(240 as double)) as bigint) as block,
    cast(sum(lots.records) as bigint) as records
from "sqlanon_micro_lots_1" as lots
group by lots.block * 240 + lots.number, lots.cell_id, cast(floor((lots.block) / cast(240 as double)) as bigint)
