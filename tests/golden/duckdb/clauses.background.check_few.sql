select count(positions.code) as profiles
from "sqlanon_positions_b1" as positions
having count(positions.code) > 2000
