select
    shares.class_id,
    shares.block,
    cast(sum(shares.records) as bigint) as records,
    cast(
        floor(cast(sum(shares.records * places.x1) as double) / cast(sum(shares.records) as double) + 0.5e0) as bigint
    ) as x1,
    cast(
        floor(cast(sum(shares.records * places.x2) as double) / cast(sum(shares.records) as double) + 0.5e0) as bigint
    ) as x2
from "sqlanon_micro_shares_0" as shares
inner join "sqlanon_places" as places
    on shares.cell_id = places.cell_id
where shares.class_id >= 0
group by shares.class_id, shares.block
