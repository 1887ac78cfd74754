-- relation: named
-- grain: one row per person
-- inputs: released
-- outputs: name, class_id, last_class_id
-- paper: none
-- By what readers know each person again, and the class where they find the person's rows: the first and
-- the last, of all that is published alone. Rows of equal cells are a class.
with ranked as (
    select
        released."nr" as name,
        dense_rank() over (
            order by
                released."age",
                released."sex"
        ) as class_id
    from "linked_first" as released
)

select
    ranked.name,
    min(ranked.class_id) as class_id,
    max(ranked.class_id) as last_class_id
from ranked
group by ranked.name
