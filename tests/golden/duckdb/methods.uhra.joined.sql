with failing as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
),

homes as (
    select
        shares.class_id,
        min(shares.cluster) as cluster,
        min(shares.block) as block
    from "sqlanon_uhra_shares_0" as shares
    where shares.class_id >= 0
    group by shares.class_id
),

first_cells as (
    select
        left_runs.cluster,
        left_runs.block,
        left_runs.run_records
    from "sqlanon_uhra_left_runs" as left_runs
    where left_runs.earlier = 0
),

taking as (
    select
        homes.cluster,
        homes.block,
        homes.class_id,
        min(case when homes.block = first_cells.block then 0 else 1 end) as elsewhere,
        coalesce(
            min(case when failing.class_id is not null then lengths.length end) - 1,
            max(lengths.length)
        ) as records
    from homes
    inner join first_cells
        on homes.cluster = first_cells.cluster
    inner join "sqlanon_uhra_lengths" as lengths
        on first_cells.run_records >= lengths.length
    left join failing
        on failing.class_id = homes.class_id * 24 + lengths.length - 1
    group by homes.cluster, homes.block, homes.class_id
),

ranked as (
    select
        taking.cluster,
        taking.block,
        taking.class_id,
        taking.records,
        row_number() over (
            partition by taking.cluster order by taking.elsewhere, taking.class_id
        ) as rank
    from taking
    where taking.records > 0
)

select
    left_runs.cluster,
    ranked.block,
    left_runs.cell_id,
    ranked.class_id,
    case
        when left_runs.records < ranked.records - left_runs.earlier then left_runs.records
        else ranked.records - left_runs.earlier
    end as records
from "sqlanon_uhra_left_runs" as left_runs
inner join ranked
    on left_runs.cluster = ranked.cluster and ranked.rank = 1
where left_runs.earlier < ranked.records
union all
select
    left_cells.cluster,
    -1 as block,
    left_cells.cell_id,
    -1 - left_cells.cluster as class_id,
    left_cells.records
from "sqlanon_uhra_left_0" as left_cells
left join "sqlanon_uhra_left_runs" as left_runs
    on left_cells.cell_id = left_runs.cell_id
left join (
    select homes.cluster
    from homes
    group by homes.cluster
) as with_classes
    on left_cells.cluster = with_classes.cluster
left join ranked
    on left_cells.cluster = ranked.cluster and ranked.rank = 1
where
    ranked.class_id is null
    and (left_runs.cell_id is not null or with_classes.cluster is null)
