with changed as (
    select
        members.block,
        members.cell_id,
        members.apart,
        members.inside,
        members.outside,
        case
            when members.apart < exchanges.in_apart then 0
            when members.apart = exchanges.in_apart and members.cell_id < exchanges.in_cell then 0
            else members.candidates
        end as candidates,
        case when members.cell_id = exchanges.in_cell then 1 else 0 end as comes,
        case when members.cell_id = exchanges.out_cell then 1 else 0 end as goes
    from "sqlanon_micro_members_1_0" as members
    left join "sqlanon_micro_exchanges" as exchanges
        on members.block = exchanges.block
)

select
    changed.block,
    changed.cell_id,
    changed.apart,
    cast(changed.inside + changed.comes - changed.goes as bigint) as inside,
    cast(changed.outside - changed.comes + changed.goes as bigint) as outside,
    cast(changed.candidates - changed.comes as bigint) as candidates
from changed
