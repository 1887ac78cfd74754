-- relation: group_classes
-- grain: one row per class
-- inputs: group_classes, group_states
-- outputs: class_id, number
-- paper: none
-- Groups that violate a model join their neighbours along the curve. At first two and two: in a run of
-- such groups the first with the second, the third with the fourth, an odd last one with the group
-- after it. Where that is not enough, with so many (reach) groups on either side. Never across clusters,
-- whose groups follow each other.
with placed as (
    select
        group_states.number,
        group_states.cluster,
        group_states.fails,
        row_number() over (partition by group_states.cluster order by group_states.number) as place,
        count(*) over (partition by group_states.cluster) as total,
        row_number() over (partition by group_states.cluster order by group_states.number)
        - sum(group_states.fails) over (
            partition by group_states.cluster order by group_states.number rows unbounded preceding
        ) as run
    from "sqlanon_merge_states" as group_states
),

turns as (
    select
        placed.number,
        placed.cluster,
        placed.place,
        placed.total,
        placed.fails,
        case
            when placed.fails = 1
                then
                    row_number() over (
                        partition by placed.cluster, placed.fails, placed.run order by placed.number
                    ) % 2
            else 0
        end as joins_next
    from placed
),

-- A border before a group stays (1) or goes (0).
borders as (
    select
        turns.number,
        case
            when turns.place = 1 then 1
            when lag(turns.joins_next) over (partition by turns.cluster order by turns.place) = 1 then 0
            when turns.place = turns.total and turns.joins_next = 1 then 0
            else 1
        end as stays
    from turns
),

numbered as (
    select
        borders.number,
        cast(sum(borders.stays) over (order by borders.number rows unbounded preceding) as bigint) as merged
    from borders
)

select
    group_classes.class_id,
    numbered.merged as number
from "sqlanon_merge_groups_0" as group_classes
inner join numbered
    on group_classes.number = numbered.number
