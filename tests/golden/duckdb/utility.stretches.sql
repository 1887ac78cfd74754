-- relation: stretches
-- grain: one row per cell and stretch of the source's values that it covers
-- inputs: values, spans?, set_members?
-- outputs: cell, first_place, beyond
-- paper: none
-- Which of the source's values, by their places in order, a cell stands for: from the first to just before
-- the one beyond. A member of a set is a stretch of its own; so is every value of the source itself.
select
    places.code as cell,
    places.below as first_place,
    places.below + 1 as beyond
from "sqlanon_values_q1" as places
where places.held = 1
