-- relation: zone_count
-- grain: one row
-- inputs: zones
-- outputs: zones
-- paper: none
select count(distinct zones.class_id) as zones
from "sqlanon_zones" as zones
