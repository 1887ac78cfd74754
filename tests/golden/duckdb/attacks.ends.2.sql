-- relation: ends
-- grain: one row per class
-- inputs: classes
-- outputs: class_id, low, high, stands
-- paper: none
-- A published cell as the least and the greatest value that it stands for, as text; stands is 0 of NULL, 1
-- of a value or an interval, and 2 of a cell that says nothing.
select
    classes.class_id,
    cast(classes.p7_1 as varchar) as low,
    cast(classes.p7_2 as varchar) as high,
    case when classes.p7_1 is not null then 1 else 2 end as stands
from "sqlanon_cells_q7" as classes
