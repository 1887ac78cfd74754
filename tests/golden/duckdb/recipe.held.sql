-- relation: held
-- grain: one row per class and model
-- inputs: placed, held?
-- outputs: class_id, model, holds
-- paper: none
-- Whether each class meets each model, by their places from 1. Records that lie in no cell are no class; that
-- has the place 0.
select
    held.class_id,
    held.model,
    held.holds
from "sqlanon_lattice_held" as held
where held.class_id <> 0
union all
select distinct
    placed.class_id,
    0 as model,
    0 as holds
from "sqlanon_recipe_placed" as placed
where placed.class_id = 0
