-- relation: check_between
-- grain: one row if values may leave their type once they are transformed
-- inputs: read
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_drawn" as read
where read.x2 < -9523785.71 or read.x2 > 9523785.70
having count(*) > 0
