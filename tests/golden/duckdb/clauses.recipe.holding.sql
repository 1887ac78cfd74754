select used.value, cells.cell
from "sqlanon_labels_q3" as used
inner join (select distinct boxes.p3 as cell from "sqlanon_recipe_classes" as boxes) as cells
    on cells.cell in ('*', used.label) or (used.value is null and cells.cell is null)
where used.label is not null or used.value is null
