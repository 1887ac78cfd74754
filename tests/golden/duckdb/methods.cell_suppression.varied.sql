-- relation: varied
-- grain: one row
-- inputs: shown
-- outputs: q*
-- paper: none
-- Which columns have several values (1): where there is one, to suppress it would change nothing.
select
    case when min(shown.q1) < max(shown.q1) then 1 else 0 end as q1,
    case when min(shown.q2) < max(shown.q2) then 1 else 0 end as q2,
    case when min(shown.q3) < max(shown.q3) then 1 else 0 end as q3
from "sqlanon_cells_shown" as shown
