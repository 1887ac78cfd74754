-- relation: pattern_costs
-- grain: one row per cost
-- inputs: patterns
-- outputs: cost, patterns
-- paper: none
-- How many choices of columns cost the same.
select
    patterns.cost,
    count(*) as patterns
from "sqlanon_cells_patterns" as patterns
group by patterns.cost
order by patterns.cost asc
