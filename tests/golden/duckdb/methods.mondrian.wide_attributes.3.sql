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
        count(distinct open_parts.q1) as values_1,
        min(open_parts.q2) as low_2,
        max(open_parts.q2) as high_2,
        count(distinct open_parts.q2) as values_2,
        cast(sum(open_parts.records) as bigint) as records
    from "sqlanon_tree_first" as open_parts
    group by open_parts.node
    having sum(open_parts.records) >= 40
),

widths as (
    select
        extents.node,
        extents.records,
        1 as attribute,
        (extents.values_1 - 1) * 125000000 as width
    from extents
    where extents.values_1 > 1
    union all
    select
        extents.node,
        extents.records,
        2 as attribute,
        (extents.values_2 - 1) * 500000000 as width
    from extents
    where extents.values_2 > 1

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
