with sizes as (
    select
        open_parts.node,
        cast(sum(open_parts.records) as bigint) as records
    from "sqlanon_tree_first" as open_parts
    inner join "sqlanon_deal_nodes" as deal_nodes
        on open_parts.node = deal_nodes.node
    where deal_nodes.classes > 1
    group by open_parts.node
),

attributes as (
    select listed.attribute
    from (values (1), (2), (3)) as listed (attribute)
)

select
    sizes.node,
    sizes.records,
    attributes.attribute,
    1 as tie_1,
    2 as tie_2,
    3 as tie_3
from sizes
cross join attributes
