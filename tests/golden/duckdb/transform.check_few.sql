-- relation: check_few
-- grain: one row if a column that is drawn from has too many values
-- inputs: redrawn
-- outputs: used
-- paper: none
select count(*) as used
from "sqlanon_redrawn_x5"
having count(*) > 1000
