-- relation: joining
-- grain: one row per class as formed and combination of sensitive values
-- inputs: left_cells, shares, places
-- outputs: class_id, s*, records
-- paper: Amiri et al. 2023, algorithm 2, line 14
-- Every class with a record more, of the first cell that is left of its cluster.
with firsts as (
    select
        left_cells.cluster,
        min(left_cells.place) as place
    from "sqlanon_uhra_left_0" as left_cells
    group by left_cells.cluster
),

held as (
    select
        shares.class_id,
        shares.cell_id,
        shares.records
    from "sqlanon_uhra_shares_0" as shares
    inner join firsts
        on shares.cluster = firsts.cluster
    where shares.class_id >= 0
),

newcomers as (
    select
        classes.class_id,
        left_cells.cell_id,
        cast(1 as bigint) as records
    from firsts
    inner join "sqlanon_uhra_left_0" as left_cells
        on firsts.cluster = left_cells.cluster and firsts.place = left_cells.place
    inner join (
        select
            shares.class_id,
            shares.cluster
        from "sqlanon_uhra_shares_0" as shares
        where shares.class_id >= 0
        group by shares.class_id, shares.cluster
    ) as classes
        on firsts.cluster = classes.cluster
),

together as (
    select
        held.class_id,
        held.cell_id,
        held.records
    from held
    union all
    select
        newcomers.class_id,
        newcomers.cell_id,
        newcomers.records
    from newcomers
)

select
    together.class_id,
    places.s1,
    places.s2,
    cast(sum(together.records) as bigint) as records
from together
inner join "sqlanon_uhra_places" as places
    on together.cell_id = places.cell_id
group by together.class_id, places.s1, places.s2
