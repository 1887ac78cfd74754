with chosen as (
    select
        points.q1,
        points.q2,
        points.q3,
        points.q4,
        points.q5,
        points.q6,
        points.q7
    from "sqlanon_points_source" as points
    order by
        points.records desc,
        points.q1 asc,
        points.q2 asc,
        points.q3 asc,
        points.q4 asc,
        points.q5 asc,
        points.q6 asc,
        points.q7 asc
    limit 1
)

select
    1 as cluster,
    1 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q1_source" as coordinates
    on chosen.q1 = coordinates.cell
union all
select
    1 as cluster,
    2 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q2_source" as coordinates
    on chosen.q2 = coordinates.cell
union all
select
    1 as cluster,
    3 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q3_source" as coordinates
    on chosen.q3 = coordinates.cell
union all
select
    1 as cluster,
    4 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q4_source" as coordinates
    on chosen.q4 = coordinates.cell
union all
select
    1 as cluster,
    5 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q5_source" as coordinates
    on chosen.q5 = coordinates.cell
union all
select
    1 as cluster,
    6 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q6_source" as coordinates
    on chosen.q6 = coordinates.cell
union all
select
    1 as cluster,
    7 as attribute,
    coordinates.axis,
    coordinates.place
from chosen
inner join "sqlanon_coordinates_q7_source" as coordinates
    on chosen.q7 = coordinates.cell
