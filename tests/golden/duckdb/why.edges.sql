-- relation: edges
-- grain: one row per class
-- inputs: classes
-- outputs: class_id, records, edges, at_*
-- paper: none
-- At the edge of which models each class lies, 1 or 0: a little more, and it would not meet the model.
with placed as (
    select
        classes.class_id,
        classes.records,
        case
            when classes."k_anonymity" < 8 then 1
            else 0
        end as at_1,
        case
            when classes."disease_t_closeness" >= 0.45 then 1
            else 0
        end as at_2
    from "patients_public__classes" as classes
)

select
    placed.class_id,
    placed.records,
    (placed.at_1 + placed.at_2) as edges,
    placed.at_1,
    placed.at_2
from placed
