with changes as (
    select
        shares.class_id,
        shares.cell_id,
        shares.cluster,
        shares.block,
        shares.records
    from "sqlanon_uhra_shares_0" as shares
    union all
    select
        moves.class_id,
        moves.cell_id,
        moves.cluster,
        moves.block,
        moves.records
    from "sqlanon_uhra_moves" as moves
)

select
    changes.class_id,
    changes.cell_id,
    changes.cluster,
    changes.block,
    cast(sum(changes.records) as bigint) as records
from changes
group by changes.class_id, changes.cell_id, changes.cluster, changes.block
having sum(changes.records) > 0
