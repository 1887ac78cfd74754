-- relation: too_many
-- grain: one row per class
-- inputs: moves, classes, held
-- outputs: class_id, most
-- paper: none
-- The classes that would not meet every model after the moves, or would be empty: next an eighth of the
-- records may move, or one.
with failing as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
),

touching as (
    select
        moves.class_id,
        moves.records
    from "sqlanon_uhra_moves_0" as moves
    union all
    select
        moves.from_class as class_id,
        moves.records
    from "sqlanon_uhra_moves_0" as moves
),

touched as (
    select
        touching.class_id,
        cast(sum(touching.records) as bigint) as records
    from touching
    group by touching.class_id
)

select
    touched.class_id,
    case
        when touched.records < 16 then 1
        else cast((touched.records - touched.records % 8) / 8 as bigint)
    end as most
from touched
left join "sqlanon_uhra_sizes" as classes
    on touched.class_id = classes.class_id
left join failing
    on touched.class_id = failing.class_id
where classes.class_id is null or failing.class_id is not null
