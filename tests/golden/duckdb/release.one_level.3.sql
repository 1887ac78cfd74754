-- relation: one_level
-- grain: one row per class as formed
-- inputs: assigned, domain
-- outputs: class_id, label, level
-- paper: Samarati 2001, full-domain generalization
-- The label of every class at one level of the hierarchy, the same for all classes: the lowest, but not
-- below what is asked for, at which each class has one label. The level above all others is the root.
with extents as (
    select
        assigned.class_id,
        min(assigned.q3) as low,
        max(assigned.q3) as high
    from "sqlanon_assigned" as assigned
    group by assigned.class_id
),

joined as (
    select
        extents.class_id,
        low.level_0,
        low.level_1,
        low.level_2,
        case
            when low.node_0 = high.node_0 then 0
            when low.node_1 = high.node_1 then 1
            when low.node_2 = high.node_2 then 2
            else 3
        end as level
    from extents
    inner join "sqlanon_domain_q3" as low
        on extents.low = low.code
    inner join "sqlanon_domain_q3" as high
        on extents.high = high.code
),

common as (
    select case when max(joined.level) > 0 then max(joined.level) else 0 end as level
    from joined
)

select
    joined.class_id,
    case common.level
        when 0 then joined.level_0
        when 1 then joined.level_1
        when 2 then joined.level_2
        else '*'
    end as label,
    common.level
from joined
cross join common
