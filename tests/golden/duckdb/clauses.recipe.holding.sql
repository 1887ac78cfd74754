select used.value, cells.cell
from (select distinct records.q1 as value from "sqlanon_records" as records) as used
inner join (select distinct boxes.p1 as cell, boxes.q1_low as low, boxes.q1_high as high from "sqlanon_recipe_classes" as boxes) as cells
    on cells.cell = '*' or used.value between cells.low and cells.high or (used.value is null and cells.cell is null)
