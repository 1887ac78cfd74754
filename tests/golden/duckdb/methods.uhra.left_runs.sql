with firsts as (
    select
        left_cells.cluster,
        min(left_cells.place) as place
    from "sqlanon_uhra_left_0" as left_cells
    group by left_cells.cluster
),

numbered as (
    select
        left_cells.cluster,
        left_cells.block,
        left_cells.cell_id,
        left_cells.records,
        left_cells.place,
        places.s1,
        places.s2,
        left_cells.place - row_number() over (
            partition by left_cells.cluster, left_cells.block, places.s1, places.s2
            order by left_cells.place
        ) as run
    from "sqlanon_uhra_left_0" as left_cells
    inner join "sqlanon_places" as places
        on left_cells.cell_id = places.cell_id
),

first_runs as (
    select
        numbered.cluster,
        numbered.block,
        numbered.s1,
        numbered.s2,
        numbered.run
    from numbered
    inner join firsts
        on numbered.cluster = firsts.cluster and numbered.place = firsts.place
)

select
    numbered.cluster,
    numbered.block,
    numbered.cell_id,
    numbered.place,
    numbered.s1,
    numbered.s2,
    numbered.records,
    cast(
        sum(numbered.records) over (partition by numbered.cluster order by numbered.place rows unbounded preceding)
        - numbered.records as bigint
    ) as earlier,
    cast(sum(numbered.records) over (partition by numbered.cluster) as bigint) as run_records
from numbered
inner join first_runs
    on
        numbered.cluster = first_runs.cluster
        and numbered.block = first_runs.block
        and numbered.run = first_runs.run
        and numbered.s1 = first_runs.s1
        and numbered.s2 = first_runs.s2
