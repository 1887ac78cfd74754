-- relation: most_groups
-- grain: one row
-- inputs: lots
-- outputs: groups
-- paper: none
-- How many groups the block with most of them will have.
with blocks as (
    select
        lots.block,
        greatest(cast(floor((sum(lots.records)) / cast(20 as double)) as bigint), 1) as groups
    from "sqlanon_micro_lots" as lots
    group by lots.block
)

select cast(coalesce(max(blocks.groups), 0) as bigint) as groups
from blocks
