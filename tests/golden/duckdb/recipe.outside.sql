-- relation: outside
-- grain: one row
-- inputs: placed
-- outputs: records, combinations
-- paper: none
-- How many records lie in no cell of the earlier release, and of how many combinations of values.
select
    cast(coalesce(sum(placed.records), 0) as bigint) as records,
    count(*) as combinations
from "sqlanon_recipe_placed" as placed
where placed.class_id = 0
