select
    positions.code,
    positions.code as cluster
from "sqlanon_positions_b1" as positions
