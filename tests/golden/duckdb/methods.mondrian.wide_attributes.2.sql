-- relation: candidate_attributes
-- grain: one row per open node and quasi-identifier with more than one code in it
-- inputs: open_parts, box_scales?
-- outputs: node, records, attribute, turn, tie_1, tie_2, tie_3
-- paper: LeFevre, DeWitt & Ramakrishnan 2006, Mondrian
-- The quasi-identifiers that a node may be cut by, in turn: the widest first, by what publishing the
-- node as it is would lose of each. Records alike in one are put in order by the three widest.
with extents as (
    select
        open_parts.node,
        min(open_parts.q1) as low_1,
        max(open_parts.q1) as high_1,
        min(open_parts.q2) as low_2,
        max(open_parts.q2) as high_2,
        min(open_parts.q3) as low_3,
        max(open_parts.q3) as high_3,
        min(open_parts.q4) as low_4,
        max(open_parts.q4) as high_4,
        min(open_parts.q5) as low_5,
        max(open_parts.q5) as high_5,
        min(open_parts.q6) as low_6,
        max(open_parts.q6) as high_6,
        count(distinct open_parts.q6) as values_6,
        min(open_parts.q7) as low_7,
        max(open_parts.q7) as high_7,
        cast(sum(open_parts.records) as bigint) as records
    from "sqlanon_tree_left_in_1" as open_parts
    group by open_parts.node
    having sum(open_parts.records) >= 20
),

ends as (
    select
        extents.node,
        extents.records,
        numbers.attribute,
        case numbers.attribute
            when 1
                then extents.low_1 * 6 + 0
            when 2
                then extents.low_2 * 6 + 1
            when 3
                then extents.low_3 * 6 + 2
            when 4
                then extents.low_4 * 6 + 3
            when 5
                then extents.low_5 * 6 + 4
            when 7
                then extents.low_7 * 6 + 5
        end as low,
        case numbers.attribute
            when 1
                then extents.high_1 * 6 + 0
            when 2
                then extents.high_2 * 6 + 1
            when 3
                then extents.high_3 * 6 + 2
            when 4
                then extents.high_4 * 6 + 3
            when 5
                then extents.high_5 * 6 + 4
            when 7
                then extents.high_7 * 6 + 5
        end as high
    from extents
    cross join (
        values (1), (2), (3), (4), (5), (7)
    ) as numbers (attribute)
),

widths as (
    select
        ends.node,
        ends.records,
        ends.attribute,
        case
            when low.node_0 = high.node_0 then low.loss_0
            when low.node_1 = high.node_1 then low.loss_1
            when low.node_2 = high.node_2 then low.loss_2
            when low.node_3 = high.node_3 then low.loss_3
            when low.node_4 = high.node_4 then low.loss_4
            else coalesce(high.axis - low.axis, low.units)
        end as width
    from ends
    inner join "sqlanon_box_scales" as low
        on ends.low = low.place
    inner join "sqlanon_box_scales" as high
        on ends.high = high.place
    where ends.low < ends.high
    union all
    select
        extents.node,
        extents.records,
        6 as attribute,
        (extents.values_6 - 1) * 38461538 as width
    from extents
    where extents.values_6 > 1

),

turns as (
    select
        widths.node,
        widths.records,
        widths.attribute,
        row_number() over (partition by widths.node order by widths.width desc, widths.attribute asc) as turn
    from widths
),

widest as (
    select
        turns.node,
        max(case when turns.turn = 1 then turns.attribute else 0 end) as tie_1,
        max(case when turns.turn = 2 then turns.attribute else 0 end) as tie_2,
        max(case when turns.turn = 3 then turns.attribute else 0 end) as tie_3
    from turns
    group by turns.node
)

select
    turns.node,
    turns.records,
    turns.attribute,
    turns.turn,
    widest.tie_1,
    widest.tie_2,
    widest.tie_3
from turns
inner join widest
    on turns.node = widest.node
