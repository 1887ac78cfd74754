-- relation: class_values
-- grain: one row per class and value of a sensitive attribute
-- inputs: placed, persons, pairs_*
-- outputs: class_id, attribute, value
-- paper: none
-- Kept for the releases that come after, and published to nobody: which values each class shows.
select distinct
    placed.class_id,
    'disease' as attribute,
    cast(pairs.s1 as varchar) as value
from "sqlanon_pairs_s1" as pairs
inner join "sqlanon_persons" as persons
    on
        pairs.w1 = persons.w1
        and pairs.w2 = persons.w2
inner join "sqlanon_placed" as placed
    on persons.x0 = placed.x0
    union all
select distinct
    placed.class_id,
    'pain' as attribute,
    cast(pairs.s2 as varchar) as value
from "sqlanon_pairs_s2" as pairs
inner join "sqlanon_persons" as persons
    on
        pairs.w1 = persons.w1
        and pairs.w2 = persons.w2
inner join "sqlanon_placed" as placed
    on persons.x0 = placed.x0
