select max(one_level.level) as level
from "sqlanon_one_level_q2" as one_level
having max(one_level.level) > 3
