select
    dense_rank() over (order by done_parts.node) - 1 as class_id,
    done_parts.root,
    done_parts.cell_id,
    done_parts.records
from "sqlanon_tree_done" as done_parts
