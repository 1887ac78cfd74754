-- relation: subset_held
-- grain: one row per declared model and class as formed
-- inputs: subset_open, subset_kept
-- outputs: model, class_id, holds
-- paper: none
-- Why a class is left out because of its groups by some of the attributes: with it, the classes that are
-- kept would still be too few in the group.
with shared as (
    select
        1 as subset,
        subset_kept.subset_1 as part,
        sum(subset_kept.records) as records
    from "sqlanon_lattice_subset_kept_0" as subset_kept
    group by subset_kept.subset_1
    union all
    select
        2 as subset,
        subset_kept.subset_2 as part,
        sum(subset_kept.records) as records
    from "sqlanon_lattice_subset_kept_0" as subset_kept
    group by subset_kept.subset_2

),

dropped as (
    select
        subset_open.class_id,
        subset_open.records,
        subset_open.subset_1,
        subset_open.subset_2
    from "sqlanon_lattice_subset_open" as subset_open
    left join "sqlanon_lattice_subset_kept_0" as subset_kept
        on subset_open.class_id = subset_kept.class_id
    where subset_kept.class_id is null
),

decided as (
    select
        4 as model,
        dropped.class_id,
        case when dropped.records + coalesce(shared.records, 0) >= 20 then 1 else 0 end as holds
    from dropped
    left join shared
        on shared.subset = 1 and dropped.subset_1 = shared.part
    union all
    select
        5 as model,
        dropped.class_id,
        case when dropped.records + coalesce(shared.records, 0) >= 10 then 1 else 0 end as holds
    from dropped
    left join shared
        on shared.subset = 2 and dropped.subset_2 = shared.part

)

select
    decided.model,
    decided.class_id,
    decided.holds
from decided
