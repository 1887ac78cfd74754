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
        min(open_parts.q1_low) as low_1,
        max(open_parts.q1_low) as high_1,
        min(open_parts.q1_high) as low_2,
        max(open_parts.q1_high) as high_2,
        min(open_parts.q2_low) as low_3,
        max(open_parts.q2_low) as high_3,
        count(distinct open_parts.q2_low) as values_3,
        min(open_parts.q2_high) as low_4,
        max(open_parts.q2_high) as high_4,
        count(distinct open_parts.q2_high) as values_4,
        cast(sum(open_parts.records) as bigint) as records
    from "sqlanon_open_0" as open_parts
    group by open_parts.node
    having sum(open_parts.records) >= 40
),

ends as (
    select
        extents.node,
        extents.records,
        numbers.attribute,
        numbers.scale,
        case numbers.attribute
            when 1 then extents.low_1
            when 2 then extents.low_2
        end as low,
        case numbers.attribute
            when 1 then extents.high_1
            when 2 then extents.high_2
        end as high
    from extents
    cross join (
        values (1, 1), (2, 2)
    ) as numbers (attribute, scale)
),

widths as (
    select
        ends.node,
        ends.records,
        ends.attribute,
        case
            when low.node_0 = high.node_0 then low.loss_0
            else coalesce(high.axis - low.axis, low.units)
        end as width
    from ends
    inner join "sqlanon_box_scales" as low
        on ends.scale = low.scale and ends.low = low.code
    inner join "sqlanon_box_scales" as high
        on ends.scale = high.scale and ends.high = high.code
    where ends.low < ends.high
    union all
    select
        extents.node,
        extents.records,
        3 as attribute,
        (extents.values_3 - 1) * 125000000 as width
    from extents
    where extents.values_3 > 1
    union all
    select
        extents.node,
        extents.records,
        4 as attribute,
        (extents.values_4 - 1) * 125000000 as width
    from extents
    where extents.values_4 > 1

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
