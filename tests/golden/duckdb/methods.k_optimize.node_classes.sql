select
    node_parts.node,
    node_parts.class_id,
    min(node_parts.parent_id) as parent_id,
    cast(sum(node_parts.records) as bigint) as records,
    cast(sum(node_parts.loss) as bigint) as loss
from "sqlanon_split_parts" as node_parts
group by node_parts.node, node_parts.class_id
