-- relation: check_few
-- grain: one row if there are more profiles than are compared
-- inputs: positions
-- outputs: profiles
-- paper: none
select count(positions.code) as profiles
from "sqlanon_positions_b1" as positions
having count(positions.code) > 2000
