-- relation: check_between
-- grain: one row if values may leave their type once they are transformed
-- inputs: read
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_drawn" as read
where read.x4 < cast('0001-01-31' as date) or read.x4 > cast('9999-12-01' as date)
having count(*) > 0
