select count(*) as used
from "sqlanon_redrawn_x5"
having count(*) > 1000
