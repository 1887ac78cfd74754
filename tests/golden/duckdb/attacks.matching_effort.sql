select cast(coalesce(sum(placed.groups), 0) as bigint) as comparisons
from "sqlanon_known_persons_placed" as placed
