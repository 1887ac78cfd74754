-- relation: zone_classes
-- grain: one row per class as formed: a cluster
-- inputs: classes, held
-- outputs: class_id, records, failed
-- paper: Amiri et al. 2023, §4, lemma 2
-- The first model that a cluster as one class fails, by its place among those that are asked for: then
-- no classes of it all meet it, and it is left out.
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
