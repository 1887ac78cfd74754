-- relation: possible_totals
-- grain: one row
-- inputs: possible
-- outputs: possible, capped
-- paper: Li, Li, Zhang and Molloy 2012, §5
-- How many tuples all groups allow, each by itself, and how many groups allow more than are counted.
select
    cast(sum(cast(possible_tuples.possible as decimal(38, 0))) as decimal(38, 0)) as possible,
    cast(sum(possible_tuples.capped) as bigint) as capped
from "sqlanon_possible_tuples" as possible_tuples
