-- relation: group_states
-- grain: one row per group of classes
-- inputs: shown_groups, held
-- outputs: number, cluster, records, fails, stuck
-- paper: none
-- Of groups of several clusters that show the same and lie too far apart one may stay: the one that is all
-- of its cluster, or else the largest. The others fail, and where they are all of their cluster are stuck.
with failing as (
    select distinct held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
),

ranked as (
    select
        shown_groups.number,
        shown_groups.cluster,
        shown_groups.records,
        shown_groups.of_cluster,
        failing.class_id as failing,
        row_number() over (
            partition by shown_groups.shown
            order by
                case when shown_groups.of_cluster = 1 then 0 else 1 end,
                shown_groups.records desc,
                shown_groups.number asc
        ) as place
    from "sqlanon_apart_shown" as shown_groups
    left join failing
        on shown_groups.shown = failing.class_id
)

select
    ranked.number,
    ranked.cluster,
    ranked.records,
    case when ranked.failing is not null and ranked.place > 1 and ranked.of_cluster > 1 then 1 else 0 end as fails,
    case when ranked.failing is not null and ranked.place > 1 and ranked.of_cluster = 1 then 1 else 0 end as stuck
from ranked
