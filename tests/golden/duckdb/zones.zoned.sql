with clustered as (
    select
        cells.cell_id,
        clusters_b1.cluster as cluster_b1,
        cells.b1,
        cells.records
    from "sqlanon_cells" as cells
    inner join "sqlanon_clusters_b1_1" as clusters_b1
        on cells.b1 = clusters_b1.code
),

combinations as (
    select
        clustered.cluster_b1
    from clustered
    group by clustered.cluster_b1
),

numbered as (
    select
        row_number() over (
            order by combinations.cluster_b1
        ) - 1 as class_id,
        combinations.cluster_b1
    from combinations
)

select
    cast(numbered.class_id as bigint) as class_id,
    clustered.cell_id,
    clustered.b1,
    clustered.records
from clustered
inner join numbered
    on
        clustered.cluster_b1 = numbered.cluster_b1
