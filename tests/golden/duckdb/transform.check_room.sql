-- relation: check_room
-- grain: one row if noise may take values out of their type
-- inputs: read, factor
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_drawn" as read
cross join "sqlanon_redrawn_noise_0" as factor
where
    cast(cast(read.x1 as bigint) as double) - factor.b1 < -9223372036854775808
    or cast(cast(read.x1 as bigint) as double) + factor.b1 > 9223372036854775807
having count(*) > 0
