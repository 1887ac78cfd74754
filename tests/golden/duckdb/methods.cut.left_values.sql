select
    ranked_parts.node,
    ranked_parts.attribute,
    0 as dealt,
    ranked_parts.s1 as value,
    cast(sum(ranked_parts.records) as bigint) as held,
    cast(
        sum(
            case
                when cut_positions.cut_1 <= ranked_parts.before then 0
                when cut_positions.cut_1 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_1 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_1
from "sqlanon_tree_ranked" as ranked_parts
inner join "sqlanon_tree_positions" as cut_positions
    on ranked_parts.node = cut_positions.node and ranked_parts.attribute = cut_positions.attribute
group by ranked_parts.node, ranked_parts.attribute, ranked_parts.s1
