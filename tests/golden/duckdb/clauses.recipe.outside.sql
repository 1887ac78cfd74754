select cast(coalesce(sum(placed.records), 0) as bigint) as records
from "sqlanon_recipe_placed" as placed
where placed.class_id = 0
