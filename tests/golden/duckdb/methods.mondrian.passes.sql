-- relation: passes
-- grain: one row
-- inputs: done_parts
-- outputs: passes
-- paper: none
-- In how many passes the table was cut: a class is closed by the pass after the one that made it.
select max(done_parts.level) - 1 as passes
from "sqlanon_tree_done" as done_parts
