with halves as (
    select
        deal_nodes.node,
        deal_nodes.classes,
        cast((deal_nodes.classes - deal_nodes.classes % 2) / 2 as bigint) as left_classes
    from "sqlanon_deal_nodes" as deal_nodes
)

select
    candidate_attributes.node,
    candidate_attributes.attribute,
    candidate_attributes.records,
    cast(
        (
            candidate_attributes.records * halves.left_classes
            - candidate_attributes.records * halves.left_classes % halves.classes
        ) / halves.classes as bigint
    ) as cut_1,
    halves.left_classes,
    halves.classes
from "sqlanon_tree_attributes" as candidate_attributes
inner join halves
    on candidate_attributes.node = halves.node
