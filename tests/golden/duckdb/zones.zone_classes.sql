with failures as (
    select
        held.class_id,
        min(held.model) as failed
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
)

select
    classes.class_id,
    classes.records,
    cast(failures.failed as integer) as failed
from "sqlanon_zone_sizes" as classes
left join failures
    on classes.class_id = failures.class_id
