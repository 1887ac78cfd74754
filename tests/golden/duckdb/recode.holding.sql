select used.value, cells.cell
from "sqlanon_labels_q3" as used
cross join (select distinct recipe.p3 as cell from "sqlanon_recipe" as recipe) as cells
where
    cells.cell = '*'
    or cells.cell in (used.label)
    or (used.value is null and cells.cell is null)
