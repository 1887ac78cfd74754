-- relation: distances_ordered
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, positions
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; ordered ground distance
-- The earth mover's distance of both sides of every cut to the table, times (values - 1) and the
-- records of the side and of the table: the sum of what must move past each value.
with cumulated as (
    select
        positions.code,
        positions.position,
        cast(sum(positions.records) over (order by positions.position rows unbounded preceding) as bigint)
            as reached
    from "sqlanon_positions_s2" as positions
),

kinds as (
    select distinct
        left_values.node,
        left_values.attribute,
        left_values.dealt
    from "sqlanon_tree_left_s2" as left_values
),

running as (
    select
        kinds.node,
        kinds.attribute,
        kinds.dealt,
        cumulated.reached,
        cast(
            sum(coalesce(left_values.left_1, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_1,
        cast(
            sum(coalesce(left_values.left_2, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_2,
        cast(
            sum(coalesce(left_values.left_3, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_3,
        cast(
            sum(coalesce(left_values.left_4, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_4,
        cast(
            sum(coalesce(left_values.left_5, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_5,
        cast(
            sum(coalesce(left_values.left_6, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_6,
        cast(
            sum(coalesce(left_values.left_7, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_7,
        cast(
            sum(coalesce(left_values.left_8, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as left_8,
        cast(
            sum(coalesce(left_values.held, 0)) over (
                partition by kinds.node, kinds.attribute, kinds.dealt
                order by cumulated.position
                rows unbounded preceding
            ) as bigint
        ) as held
    from kinds
    cross join cumulated
    left join "sqlanon_tree_left_s2" as left_values
        on
            kinds.node = left_values.node
            and kinds.attribute = left_values.attribute
            and kinds.dealt = left_values.dealt
            and cumulated.code = left_values.value
)

select
    running.node,
    running.attribute,
    running.dealt,
    sum(abs(running.left_1 * 240 - running.reached * cut_positions.cut_1)) as left_1,
    sum(
        abs(
            (running.held - running.left_1) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_1)
        )
    ) as right_1,
    sum(abs(running.left_2 * 240 - running.reached * cut_positions.cut_2)) as left_2,
    sum(
        abs(
            (running.held - running.left_2) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_2)
        )
    ) as right_2,
    sum(abs(running.left_3 * 240 - running.reached * cut_positions.cut_3)) as left_3,
    sum(
        abs(
            (running.held - running.left_3) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_3)
        )
    ) as right_3,
    sum(abs(running.left_4 * 240 - running.reached * cut_positions.cut_4)) as left_4,
    sum(
        abs(
            (running.held - running.left_4) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_4)
        )
    ) as right_4,
    sum(abs(running.left_5 * 240 - running.reached * cut_positions.cut_5)) as left_5,
    sum(
        abs(
            (running.held - running.left_5) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_5)
        )
    ) as right_5,
    sum(abs(running.left_6 * 240 - running.reached * cut_positions.cut_6)) as left_6,
    sum(
        abs(
            (running.held - running.left_6) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_6)
        )
    ) as right_6,
    sum(abs(running.left_7 * 240 - running.reached * cut_positions.cut_7)) as left_7,
    sum(
        abs(
            (running.held - running.left_7) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_7)
        )
    ) as right_7,
    sum(abs(running.left_8 * 240 - running.reached * cut_positions.cut_8)) as left_8,
    sum(
        abs(
            (running.held - running.left_8) * 240
            - running.reached * (cut_positions.records - cut_positions.cut_8)
        )
    ) as right_8
from running
inner join "sqlanon_tree_positions" as cut_positions
    on running.node = cut_positions.node and running.attribute = cut_positions.attribute
group by running.node, running.attribute, running.dealt
