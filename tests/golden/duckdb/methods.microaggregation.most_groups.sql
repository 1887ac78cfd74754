with blocks as (
    select
        lots.block,
        sum(case when lots.bin = 0 then lots.records else 0 end) as groups
    from "sqlanon_micro_lots" as lots
    group by lots.block
)

select cast(coalesce(max(blocks.groups), 0) as bigint) as groups
from blocks
