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
