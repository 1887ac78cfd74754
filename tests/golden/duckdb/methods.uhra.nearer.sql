with own as (
    select
        shares.cluster,
        shares.block,
        shares.cell_id,
        shares.class_id,
        shares.records,
        places.x1,
        places.x2,
        places.x3,
        places.s1,
        places.s2,
        (places.x1 - centroids.x1) * (places.x1 - centroids.x1)
        + (places.x2 - centroids.x2) * (places.x2 - centroids.x2)
        + (places.x3 - centroids.x3) * (places.x3 - centroids.x3)
            as apart
    from "sqlanon_uhra_shares_1" as shares
    inner join "sqlanon_places" as places
        on shares.cell_id = places.cell_id
    inner join "sqlanon_uhra_centroids" as centroids
        on shares.class_id = centroids.class_id
    where centroids.records > 4
),

pairs as (
    select
        own.cluster,
        own.block,
        own.cell_id,
        own.class_id as from_class,
        centroids.class_id,
        own.apart as own_apart,
        own.records,
        own.s1,
        own.s2,
        (own.x1 - centroids.x1) * (own.x1 - centroids.x1)
        + (own.x2 - centroids.x2) * (own.x2 - centroids.x2)
        + (own.x3 - centroids.x3) * (own.x3 - centroids.x3)
            as apart
    from own
    inner join "sqlanon_uhra_centroids" as centroids
        on own.block = centroids.block
)

select
    pairs.cluster,
    pairs.block,
    pairs.cell_id,
    pairs.from_class,
    pairs.class_id,
    pairs.apart,
    pairs.own_apart - pairs.apart as gain,
    pairs.records,
    pairs.s1,
    pairs.s2
from pairs
where pairs.apart + 2000000004 < pairs.own_apart
