-- relation: cut_positions
-- grain: one row per open node and candidate quasi-identifier
-- inputs: ranked_parts
-- outputs: node, attribute, records, cut_1, cut_2
-- paper: LeFevre, DeWitt & Ramakrishnan 2006, strict multidimensional partitioning
-- Where a node may be cut in two if records alike stay together: the two borders of the value that
-- holds the lower median, that nearer to the middle first. No border leaves a side empty.
with stretches as (
    select
        ranked_parts.node,
        ranked_parts.attribute,
        ranked_parts.node_records as records,
        min(ranked_parts.before) as start,
        min(ranked_parts.before) + cast(sum(ranked_parts.records) as bigint) as reached
    from "sqlanon_tree_ranked" as ranked_parts
    group by ranked_parts.node, ranked_parts.attribute, ranked_parts.node_records, ranked_parts.key
),

medians as (
    select
        stretches.node,
        stretches.attribute,
        stretches.records,
        nullif(stretches.start, 0) as below,
        nullif(stretches.reached, stretches.records) as above,
        case
            when stretches.reached * 2 - stretches.records <= stretches.records - stretches.start * 2 then 1
            else 0
        end as is_above
    from stretches
    where stretches.start * 2 < stretches.records and stretches.reached * 2 >= stretches.records
)

select
    medians.node,
    medians.attribute,
    medians.records,
    case when medians.is_above = 1 then medians.above else medians.below end as cut_1,
    case when medians.is_above = 1 then medians.below else medians.above end as cut_2
from medians
