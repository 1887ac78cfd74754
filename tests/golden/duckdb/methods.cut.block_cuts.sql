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
        cut_positions.left_classes as part_1,
        cut_positions.classes as whole
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
    ) as cut_1
from reaches
inner join portions
    on reaches.node = portions.node and reaches.attribute = portions.attribute
