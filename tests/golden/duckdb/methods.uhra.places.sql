-- relation: places
-- grain: one row per cell
-- inputs: cells, zones, scale_*
-- outputs: cell_id, cluster, point, records, x*, s*
-- paper: Amiri et al. 2023, §4.2
-- Where every cell of a cluster that is kept lies: of each quasi-identifier a whole number, from 0 to
-- its share in the loss; where it has a hierarchy, by the order of the leaves. A point is all cells that
-- are alike in the quasi-identifiers, and is called by the first.
with extent_q2 as (
    select
        min(scale.original) as first_code,
        cast(max(scale.original) - min(scale.original) as double) as length
    from "sqlanon_scale_q2" as scale
),

located as (
    select
        cells.cell_id,
        zones.class_id as cluster,
        cells.records,
        cells.q1,
        scale_q1.axis as x1,
        cells.q2,
        cast(
            coalesce(
                floor(
                    (cells.q2 - extent_q2.first_code) * 333333333e0
                    / nullif(extent_q2.length, 0)
                ),
                0
            ) as bigint
        ) as x2,
        cells.q3,
        scale_q3.axis as x3,
        cells.s1
    from "sqlanon_cells" as cells
    inner join "sqlanon_micro_zones" as zones
        on cells.cell_id = zones.cell_id
    inner join "sqlanon_scale_q1" as scale_q1
        on cells.q1 = scale_q1.original
    cross join extent_q2
    inner join "sqlanon_scale_q3" as scale_q3
        on cells.q3 = scale_q3.original
)

select
    located.cell_id,
    located.cluster,
    min(located.cell_id) over (
        partition by
            located.cluster,
            located.q1,
            located.q2,
            located.q3
    ) as point,
    located.records,
    located.x1,
    located.x2,
    located.x3,
    located.s1
from located
