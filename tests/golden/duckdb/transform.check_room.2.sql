-- relation: check_room
-- grain: one row if noise may take values out of their type
-- inputs: read, factor
-- outputs: records
-- paper: none
select count(*) as records
from "sqlanon_drawn" as read
cross join "sqlanon_redrawn_noise_0" as factor
where
    cast(cast(cast(read.x2 as decimal(38, 2)) * 100 as bigint) as double) - factor.b2 < -999999999
    or cast(cast(cast(read.x2 as decimal(38, 2)) * 100 as bigint) as double) + factor.b2 > 999999999
having count(*) > 0
