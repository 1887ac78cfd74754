with clustered as (
    select
        cells.cell_id,
        clusters_q2.cluster as cluster_q2,
        cells.s1,
        cells.records
    from "sqlanon_cells" as cells
    inner join "sqlanon_strata_q2" as clusters_q2
        on cells.q2 = clusters_q2.code
),

combinations as (
    select
        clustered.cluster_q2
    from clustered
    group by clustered.cluster_q2
),

numbered as (
    select
        row_number() over (
            order by combinations.cluster_q2
        ) - 1 as class_id,
        combinations.cluster_q2
    from combinations
)

select
    cast(numbered.class_id as bigint) as class_id,
    clustered.cell_id,
    clustered.s1,
    clustered.records
from clustered
inner join numbered
    on
        clustered.cluster_q2 = numbered.cluster_q2
