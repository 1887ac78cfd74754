-- relation: block_cuts
-- grain: one row per open node, candidate quasi-identifier and block
-- inputs: ranked_parts, cut_positions
-- outputs: node, attribute, stratum, cut_*
-- paper: sqlanon, Split-or-Deal §5
-- How many records of each block a dealt cut gives to the left: its share of the block, rounded down
-- or up so that the blocks add up. The blocks to be dealt out to a number of classes are cut by the
-- share of the classes instead of the records: so the bounds of Stack & Deal hold at every level.
with blocks as (
    select
        ranked_parts.node,
        ranked_parts.attribute,
        ranked_parts.stratum,
        cast(sum(ranked_parts.records) as bigint) as block
    from "sqlanon_tree_ranked" as ranked_parts
    group by ranked_parts.node, ranked_parts.attribute, ranked_parts.stratum
),

reaches as (
    select
        blocks.node,
        blocks.attribute,
        blocks.stratum,
        cast(
            sum(blocks.block) over (
                partition by blocks.node, blocks.attribute order by blocks.stratum rows unbounded preceding
            ) as bigint
        ) as reached,
        blocks.block
    from blocks
),

portions as (
    select
        cut_positions.node,
        cut_positions.attribute,
        cut_positions.cut_1 as part_1,
        cut_positions.cut_2 as part_2,
        cut_positions.cut_3 as part_3,
        cut_positions.cut_4 as part_4,
        cut_positions.records as whole
    from "sqlanon_tree_positions" as cut_positions
)

select
    reaches.node,
    reaches.attribute,
    reaches.stratum,
    cast(
        (
            reaches.reached * portions.part_1
            - reaches.reached * portions.part_1 % portions.whole
            - (reaches.reached - reaches.block) * portions.part_1
            + (reaches.reached - reaches.block) * portions.part_1 % portions.whole
        ) / portions.whole as bigint
    ) as cut_1,
    cast(
        (
            reaches.reached * portions.part_2
            - reaches.reached * portions.part_2 % portions.whole
            - (reaches.reached - reaches.block) * portions.part_2
            + (reaches.reached - reaches.block) * portions.part_2 % portions.whole
        ) / portions.whole as bigint
    ) as cut_2,
    cast(
        (
            reaches.reached * portions.part_3
            - reaches.reached * portions.part_3 % portions.whole
            - (reaches.reached - reaches.block) * portions.part_3
            + (reaches.reached - reaches.block) * portions.part_3 % portions.whole
        ) / portions.whole as bigint
    ) as cut_3,
    cast(
        (
            reaches.reached * portions.part_4
            - reaches.reached * portions.part_4 % portions.whole
            - (reaches.reached - reaches.block) * portions.part_4
            + (reaches.reached - reaches.block) * portions.part_4 % portions.whole
        ) / portions.whole as bigint
    ) as cut_4
from reaches
inner join portions
    on reaches.node = portions.node and reaches.attribute = portions.attribute
