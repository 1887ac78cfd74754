-- relation: check_between
-- grain: one row if values may leave their type once they are transformed
-- inputs: read
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_drawn" as read
where read.s1 < -9223372036854775808 or read.s1 > 9223372036854775806
having count(*) > 0
