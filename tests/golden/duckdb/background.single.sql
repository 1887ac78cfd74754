-- relation: clusters
-- grain: one row per profile
-- inputs: positions
-- outputs: code, cluster
-- paper: none
select
    positions.code,
    positions.code as cluster
from "sqlanon_positions_b1" as positions
