with numbered as (
    select
        cells.cell_id,
        row_number() over (partition by cells.cell_id order by cells.cell_id) as number
    from "sqlanon_known_coded" as coded
    inner join "sqlanon_cells" as cells
        on
            coded.q1 = cells.q1
            and coded.q2 = cells.q2
            and coded.s1 = cells.s1
)

select
    walk.block,
    row_number() over (
        partition by walk.block order by walk.place, numbered.cell_id, numbered.number
    ) - 1 as seat,
    places.cluster,
    numbered.cell_id,
    places.s1,
    places.b1
from numbered
inner join "sqlanon_places" as places
    on numbered.cell_id = places.cell_id
inner join "sqlanon_uhra_points" as walk
    on places.point = walk.point
