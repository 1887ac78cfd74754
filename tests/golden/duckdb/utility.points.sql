select
    1 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q1_source" as coordinates
union all
select
    2 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q2_source" as coordinates
union all
select
    3 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q3_source" as coordinates
union all
select
    4 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q4_source" as coordinates
union all
select
    5 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q5_source" as coordinates
union all
select
    6 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q6_source" as coordinates
union all
select
    7 as attribute,
    coordinates.cell,
    coordinates.axis,
    coordinates.coordinate
from "sqlanon_coordinates_q7_source" as coordinates
