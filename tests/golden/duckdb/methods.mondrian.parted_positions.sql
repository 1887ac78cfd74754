select
    parted.node,
    parted.whole,
    parted.attribute,
    cast(sum(parted.records) as bigint) as records,
    cast(
        sum(
            case
                when cut_positions.cut_1 <= parted.whole_before then 0
                when cut_positions.cut_1 - parted.whole_before < parted.records
                    then cut_positions.cut_1 - parted.whole_before
                else parted.records
            end
        ) as bigint
    ) as cut_1,
    cast(
        sum(
            case
                when cut_positions.cut_2 <= parted.whole_before then 0
                when cut_positions.cut_2 - parted.whole_before < parted.records
                    then cut_positions.cut_2 - parted.whole_before
                else parted.records
            end
        ) as bigint
    ) as cut_2
from "sqlanon_tree_parted_0_parts" as parted
inner join "sqlanon_tree_positions" as cut_positions
    on parted.whole = cut_positions.node and parted.attribute = cut_positions.attribute
group by parted.node, parted.whole, parted.attribute
