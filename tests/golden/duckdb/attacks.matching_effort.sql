-- relation: effort
-- grain: one row
-- inputs: placed
-- outputs: comparisons
-- paper: none
-- How many pairs of a person and a group are looked at.
select cast(coalesce(sum(placed.groups), 0) as bigint) as comparisons
from "sqlanon_known_persons_placed" as placed
