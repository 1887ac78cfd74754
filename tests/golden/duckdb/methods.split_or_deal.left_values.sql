-- relation: left_values
-- grain: one row per open node, candidate quasi-identifier, kind of cut and sensitive value in the node
-- inputs: ranked_parts, cut_positions, block_cuts?
-- outputs: node, attribute, dealt, value, held, left_*
-- paper: sqlanon, Split-or-Deal §4
-- How many records of a value are on the left of every cut: a pooled cut (dealt = 0) takes the
-- records in the order of the quasi-identifier, a dealt one (dealt = 1) the same share of each block.
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
    ) as left_1,
    cast(
        sum(
            case
                when cut_positions.cut_2 <= ranked_parts.before then 0
                when cut_positions.cut_2 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_2 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_2,
    cast(
        sum(
            case
                when cut_positions.cut_3 <= ranked_parts.before then 0
                when cut_positions.cut_3 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_3 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_3,
    cast(
        sum(
            case
                when cut_positions.cut_4 <= ranked_parts.before then 0
                when cut_positions.cut_4 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_4 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_4,
    cast(
        sum(
            case
                when cut_positions.cut_5 <= ranked_parts.before then 0
                when cut_positions.cut_5 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_5 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_5,
    cast(
        sum(
            case
                when cut_positions.cut_6 <= ranked_parts.before then 0
                when cut_positions.cut_6 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_6 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_6,
    cast(
        sum(
            case
                when cut_positions.cut_7 <= ranked_parts.before then 0
                when cut_positions.cut_7 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_7 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_7,
    cast(
        sum(
            case
                when cut_positions.cut_8 <= ranked_parts.before then 0
                when cut_positions.cut_8 - ranked_parts.before < ranked_parts.records
                    then cut_positions.cut_8 - ranked_parts.before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_8
from "sqlanon_tree_ranked" as ranked_parts
inner join "sqlanon_tree_positions" as cut_positions
    on ranked_parts.node = cut_positions.node and ranked_parts.attribute = cut_positions.attribute
group by ranked_parts.node, ranked_parts.attribute, ranked_parts.s1
union all
select
    ranked_parts.node,
    ranked_parts.attribute,
    1 as dealt,
    ranked_parts.s1 as value,
    cast(sum(ranked_parts.records) as bigint) as held,
    cast(
        sum(
            case
                when block_cuts.cut_1 <= ranked_parts.block_before then 0
                when block_cuts.cut_1 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_1 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_1,
    cast(
        sum(
            case
                when block_cuts.cut_2 <= ranked_parts.block_before then 0
                when block_cuts.cut_2 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_2 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_2,
    cast(
        sum(
            case
                when block_cuts.cut_3 <= ranked_parts.block_before then 0
                when block_cuts.cut_3 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_3 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_3,
    cast(
        sum(
            case
                when block_cuts.cut_4 <= ranked_parts.block_before then 0
                when block_cuts.cut_4 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_4 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_4,
    cast(
        sum(
            case
                when block_cuts.cut_5 <= ranked_parts.block_before then 0
                when block_cuts.cut_5 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_5 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_5,
    cast(
        sum(
            case
                when block_cuts.cut_6 <= ranked_parts.block_before then 0
                when block_cuts.cut_6 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_6 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_6,
    cast(
        sum(
            case
                when block_cuts.cut_7 <= ranked_parts.block_before then 0
                when block_cuts.cut_7 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_7 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_7,
    cast(
        sum(
            case
                when block_cuts.cut_8 <= ranked_parts.block_before then 0
                when block_cuts.cut_8 - ranked_parts.block_before < ranked_parts.records
                    then block_cuts.cut_8 - ranked_parts.block_before
                else ranked_parts.records
            end
        ) as bigint
    ) as left_8
from "sqlanon_tree_ranked" as ranked_parts
inner join "sqlanon_tree_blocks" as block_cuts
    on
        ranked_parts.node = block_cuts.node
        and ranked_parts.attribute = block_cuts.attribute
        and ranked_parts.stratum = block_cuts.stratum
group by ranked_parts.node, ranked_parts.attribute, ranked_parts.s1
