select
    places.code as cell,
    places.below as first_place,
    places.below + 1 as beyond
from "sqlanon_values_q1" as places
where places.held = 1
