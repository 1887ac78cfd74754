-- relation: chosen_classes
-- grain: one row per class as formed
-- inputs: chosen_cells
-- outputs: class_id, records
-- paper: none
select
    chosen_cells.class_id,
    cast(sum(chosen_cells.records) as bigint) as records
from "sqlanon_top_down_first_cells" as chosen_cells
group by chosen_cells.class_id
