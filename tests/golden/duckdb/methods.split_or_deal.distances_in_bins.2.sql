-- relation: distances_in_bins
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values, cut_positions, bins
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Li, Li & Venkatasubramanian 2007, §4.1; ordered ground distance
-- The earth mover's distance of both sides of every cut to the table, times (values - 1) and the
-- records of the side and of the table, looked at in bins of neighbouring values: what must move past
-- the values of a bin, of which what moves one way and what moves the other cancel out. So it is never
-- too much, and exact where every value has a bin of its own.
with stretches as (
    select distinct
        bins.bin,
        bins.width,
        bins.summed
    from "sqlanon_search_bins_s1" as bins
),

held as (
    select
        left_values.node,
        left_values.attribute,
        left_values.dealt,
        bins.bin,
        cast(sum(left_values.held * bins.tail) as bigint) as tail,
        cast(sum(left_values.left_1 * bins.tail) as bigint) as tail_1,
        cast(sum(left_values.left_2 * bins.tail) as bigint) as tail_2,
        cast(sum(left_values.left_3 * bins.tail) as bigint) as tail_3,
        cast(sum(left_values.left_4 * bins.tail) as bigint) as tail_4,
        cast(sum(left_values.held) as bigint) as held,
        cast(sum(left_values.left_1) as bigint) as left_1,
        cast(sum(left_values.left_2) as bigint) as left_2,
        cast(sum(left_values.left_3) as bigint) as left_3,
        cast(sum(left_values.left_4) as bigint) as left_4
    from "sqlanon_tree_left_s1" as left_values
    inner join "sqlanon_search_bins_s1" as bins
        on left_values.value = bins.code
    group by left_values.node, left_values.attribute, left_values.dealt, bins.bin
),

-- The cumulated counts, summed over the values of every bin.
reached as (
    select
        held.node,
        held.attribute,
        held.dealt,
        stretches.bin,
        stretches.summed,
        cast(
            sum(
                case
                    when held.bin = stretches.bin then held.tail_1
                    when held.bin <= stretches.bin then held.left_1 * stretches.width
                    else 0
                end
            ) as bigint
        ) as left_1,
        cast(
            sum(
                case
                    when held.bin = stretches.bin then held.tail_2
                    when held.bin <= stretches.bin then held.left_2 * stretches.width
                    else 0
                end
            ) as bigint
        ) as left_2,
        cast(
            sum(
                case
                    when held.bin = stretches.bin then held.tail_3
                    when held.bin <= stretches.bin then held.left_3 * stretches.width
                    else 0
                end
            ) as bigint
        ) as left_3,
        cast(
            sum(
                case
                    when held.bin = stretches.bin then held.tail_4
                    when held.bin <= stretches.bin then held.left_4 * stretches.width
                    else 0
                end
            ) as bigint
        ) as left_4,
        cast(
            sum(
                case
                    when held.bin = stretches.bin then held.tail
                    when held.bin <= stretches.bin then held.held * stretches.width
                    else 0
                end
            ) as bigint
        ) as held
    from held
    cross join stretches
    group by held.node, held.attribute, held.dealt, stretches.bin, stretches.summed
)

select
    reached.node,
    reached.attribute,
    reached.dealt,
    sum(abs(reached.left_1 * 240 - reached.summed * cut_positions.cut_1)) as left_1,
    sum(
        abs(
            (reached.held - reached.left_1) * 240
            - reached.summed * (cut_positions.records - cut_positions.cut_1)
        )
    ) as right_1,
    sum(abs(reached.left_2 * 240 - reached.summed * cut_positions.cut_2)) as left_2,
    sum(
        abs(
            (reached.held - reached.left_2) * 240
            - reached.summed * (cut_positions.records - cut_positions.cut_2)
        )
    ) as right_2,
    sum(abs(reached.left_3 * 240 - reached.summed * cut_positions.cut_3)) as left_3,
    sum(
        abs(
            (reached.held - reached.left_3) * 240
            - reached.summed * (cut_positions.records - cut_positions.cut_3)
        )
    ) as right_3,
    sum(abs(reached.left_4 * 240 - reached.summed * cut_positions.cut_4)) as left_4,
    sum(
        abs(
            (reached.held - reached.left_4) * 240
            - reached.summed * (cut_positions.records - cut_positions.cut_4)
        )
    ) as right_4
from reached
inner join "sqlanon_tree_positions" as cut_positions
    on reached.node = cut_positions.node and reached.attribute = cut_positions.attribute
group by reached.node, reached.attribute, reached.dealt
