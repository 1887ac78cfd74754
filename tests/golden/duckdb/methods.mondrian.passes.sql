select max(done_parts.level) - 1 as passes
from "sqlanon_tree_done" as done_parts
