select
    positions.code,
    1 as cluster
from "sqlanon_positions_b1" as positions
