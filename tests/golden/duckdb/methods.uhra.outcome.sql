-- relation: outcome
-- grain: one row per class as formed
-- inputs: classes, held
-- outputs: class_id, formed, records, failed
-- paper: Amiri et al. 2023, algorithm 2, line 17
-- The classes, numbered from 0; then what no class took of every cluster, by the first model that it
-- would fail as a class. What would fail none is one.
with failures as (
    select
        held.class_id,
        min(held.model) as failed
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
)

select
    row_number() over (order by coalesce(failures.failed, 0), classes.class_id) - 1 as class_id,
    classes.class_id as formed,
    classes.records,
    cast(failures.failed as integer) as failed
from "sqlanon_uhra_sizes" as classes
left join failures
    on classes.class_id = failures.class_id
