select
    case when min(shown.q1) < max(shown.q1) then 1 else 0 end as q1
from "sqlanon_cells_shown" as shown
