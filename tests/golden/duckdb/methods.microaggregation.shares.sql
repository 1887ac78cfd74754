select
    lots.block * 240 + lots.number as class_id,
    lots.cell_id,
    cast(floor((lots.block) / cast(240 as double)) as bigint) as block,
    cast(sum(lots.records) as bigint) as records
from "sqlanon_micro_lots_1" as lots
group by lots.block * 240 + lots.number, lots.cell_id, cast(floor((lots.block) / cast(240 as double)) as bigint)
