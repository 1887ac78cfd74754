select
    lots.block,
    lots.bin,
    lots.cell_id,
    lots.records,
    lots.number
from "sqlanon_micro_lots" as lots
where lots.number is not null
union all
select
    members.block,
    0 as bin,
    members.cell_id,
    members.inside as records,
    cast(0 as bigint) as number
from "sqlanon_micro_members_0_0" as members
where members.inside > 0
union all
select
    members.block,
    0 as bin,
    members.cell_id,
    members.outside as records,
    cast(null as bigint) as number
from "sqlanon_micro_members_0_0" as members
where members.outside > 0
