select
    coalesce(joins.into_class, shares.class_id) as class_id,
    shares.cell_id,
    shares.block,
    cast(sum(shares.records) as bigint) as records
from "sqlanon_micro_shares_0" as shares
left join "sqlanon_micro_joins" as joins
    on shares.class_id = joins.class_id
group by coalesce(joins.into_class, shares.class_id), shares.cell_id, shares.block
