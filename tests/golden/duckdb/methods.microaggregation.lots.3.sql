-- relation: lots
-- grain: one row per cell and bin and block
-- inputs: coded, cells, places, curve_places?, positions?
-- outputs: block, bin, cell_id, records, number
-- paper: Soria-Comas et al. 2015, algorithm 3
-- The records that groups are made of, without saying which. A cluster with more than 100 is cut
-- along the curve into blocks of about one size, each with 20 at least.
-- The records of a cluster in the order of their sensitive values are cut into bins, each with as many as
-- there will be groups; what is left over is in the middle, in bin -1. Records of one value are dealt to the
-- bins that the value reaches over, so that each of these has some from everywhere on the curve.
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
        greatest(cast(floor((sum(places.records)) / cast(20 as double)) as bigint), 1) as cluster_groups
    from "sqlanon_uhra_places" as places
    group by places.cluster
),

cut as (
    select
        sizes.cluster,
        sizes.cluster_records,
        sizes.cluster_groups,
        least(cast(floor((sizes.cluster_records + 99) / cast(100 as double)) as bigint), sizes.cluster_groups) as blocks
    from sizes
),

lined as (
    select
        numbered.cell_id,
        numbered.turn,
        places.cluster,
        positions.position,
        count(*) over (partition by places.cluster, positions.position) as alike,
        row_number() over (
            partition by places.cluster, positions.position
            order by curve_places.place, numbered.cell_id, numbered.turn
        ) - 1 as place
    from numbered
    inner join "sqlanon_uhra_places" as places
        on numbered.cell_id = places.cell_id
    inner join "sqlanon_positions_s1" as positions
        on places.s1 = positions.code
    inner join "sqlanon_micro_curve_places" as curve_places
        on numbered.cell_id = curve_places.cell_id
),

dealt as (
    select
        lined.cell_id,
        lined.turn,
        lined.cluster,
        cut.cluster_groups,
        cast(floor((cut.cluster_records) / cast(cut.cluster_groups as double)) as bigint) as bins,
        cut.cluster_records % cut.cluster_groups as spare,
        row_number() over (
            partition by lined.cluster
            order by
                lined.position,
                lined.place % cast(floor((lined.alike + cut.cluster_groups - 1) / cast(cut.cluster_groups as double)) as bigint),
                lined.place
        ) - 1 as seat
    from lined
    inner join cut
        on lined.cluster = cut.cluster
),

binned as (
    select
        dealt.cell_id,
        dealt.turn,
        case
            when dealt.seat < cast(floor((dealt.bins) / cast(2 as double)) as bigint) * dealt.cluster_groups
                then cast(floor((dealt.seat) / cast(dealt.cluster_groups as double)) as bigint)
            when dealt.seat < cast(floor((dealt.bins) / cast(2 as double)) as bigint) * dealt.cluster_groups + dealt.spare then -1
            else cast(floor((dealt.seat - dealt.spare) / cast(dealt.cluster_groups as double)) as bigint)
        end as bin
    from dealt
),

placed as (
    select
        binned.cell_id,
        binned.bin,
        places.cluster,
        count(*) over (partition by places.cluster, binned.bin) as bin_records,
        row_number() over (
            partition by places.cluster, binned.bin
            order by curve_places.place, binned.cell_id, binned.turn
        ) - 1 as place
    from binned
    inner join "sqlanon_uhra_places" as places
        on binned.cell_id = places.cell_id
    inner join "sqlanon_micro_curve_places" as curve_places
        on binned.cell_id = curve_places.cell_id
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
