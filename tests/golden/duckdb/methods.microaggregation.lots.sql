with numbered as (
    select
        cells.cell_id,
        row_number() over (partition by cells.cell_id order by cells.cell_id) as turn
    from "sqlanon_coded" as coded
    inner join "sqlanon_cells" as cells
        on
            coded.q1 = cells.q1
            and coded.q2 = cells.q2
            and coded.s1 = cells.s1
),

sizes as (
    select
        places.cluster,
        cast(sum(places.records) as bigint) as cluster_records,
        greatest(cast(floor((sum(places.records)) / cast(40 as double)) as bigint), 1) as cluster_groups
    from "sqlanon_places" as places
    group by places.cluster
),

cut as (
    select
        sizes.cluster,
        sizes.cluster_records,
        sizes.cluster_groups,
        least(cast(floor((sizes.cluster_records + 1999) / cast(2000 as double)) as bigint), sizes.cluster_groups) as blocks
    from sizes
),

binned as (
    select
        numbered.cell_id,
        numbered.turn,
        0 as bin
    from numbered
),

placed as (
    select
        binned.cell_id,
        binned.bin,
        places.cluster,
        count(*) over (partition by places.cluster, binned.bin) as bin_records,
        row_number() over (
            partition by places.cluster, binned.bin
            order by binned.cell_id, binned.turn
        ) - 1 as place
    from binned
    inner join "sqlanon_places" as places
        on binned.cell_id = places.cell_id
),

counted as (
    select
        placed.cluster * 240 + cast(floor((placed.place * cut.blocks) / cast(placed.bin_records as double)) as bigint) as block,
        placed.bin,
        placed.cell_id,
        count(*) as records
    from placed
    inner join cut
        on placed.cluster = cut.cluster
    group by
        placed.cluster * 240 + cast(floor((placed.place * cut.blocks) / cast(placed.bin_records as double)) as bigint),
        placed.bin,
        placed.cell_id
)

select
    counted.block,
    counted.bin,
    counted.cell_id,
    counted.records,
    cast(null as bigint) as number
from counted
