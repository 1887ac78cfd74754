-- relation: moves
-- grain: one row per cell
-- inputs: left_cells, classes, held, shares, places
-- outputs: cluster, block, cell_id, class_id, records
-- paper: Amiri et al. 2023, algorithm 2, lines 13 to 18
-- A record goes to the first class that goes on meeting every model, those of its own block first.
-- Where there is none, there is none for the next records either while they have the same sensitive
-- values: all these are left out, with the others of their cluster in a class of a negative number.
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

firsts as (
    select
        left_cells.cluster,
        min(left_cells.place) as place
    from "sqlanon_uhra_left_0" as left_cells
    group by left_cells.cluster
),

ranked as (
    select
        homes.cluster,
        homes.block,
        homes.class_id,
        row_number() over (
            partition by homes.cluster
            order by case when homes.block = left_cells.block then 0 else 1 end, homes.class_id
        ) as rank
    from "sqlanon_uhra_classes" as classes
    inner join homes
        on classes.class_id = homes.class_id
    inner join firsts
        on homes.cluster = firsts.cluster
    inner join "sqlanon_uhra_left_0" as left_cells
        on firsts.cluster = left_cells.cluster and firsts.place = left_cells.place
    left join failing
        on classes.class_id = failing.class_id
    where failing.class_id is null
),

numbered as (
    select
        left_cells.cluster,
        left_cells.cell_id,
        left_cells.records,
        left_cells.place,
        places.s1,
        places.s2,
        left_cells.place - row_number() over (
            partition by left_cells.cluster, places.s1, places.s2
            order by left_cells.place
        ) as run
    from "sqlanon_uhra_left_0" as left_cells
    inner join "sqlanon_uhra_places" as places
        on left_cells.cell_id = places.cell_id
),

first_runs as (
    select
        numbered.cluster,
        numbered.place,
        numbered.s1,
        numbered.s2,
        numbered.run
    from numbered
    inner join firsts
        on numbered.cluster = firsts.cluster and numbered.place = firsts.place
)

select
    numbered.cluster,
    coalesce(ranked.block, -1) as block,
    numbered.cell_id,
    coalesce(ranked.class_id, -1 - numbered.cluster) as class_id,
    case when ranked.class_id is null then numbered.records else 1 end as records
from numbered
inner join first_runs
    on numbered.cluster = first_runs.cluster
left join (
    select homes.cluster
    from homes
    group by homes.cluster
) as with_classes
    on numbered.cluster = with_classes.cluster
left join ranked
    on numbered.cluster = ranked.cluster and ranked.rank = 1
where
    numbered.place = first_runs.place
    or (ranked.class_id is null and with_classes.cluster is null)
    or (
        ranked.class_id is null
        and numbered.run = first_runs.run
        and numbered.s1 = first_runs.s1
        and numbered.s2 = first_runs.s2
    )
