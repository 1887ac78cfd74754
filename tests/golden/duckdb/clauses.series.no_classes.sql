select
    cast(0 as bigint) as class_id,
    units.x0
from "sqlanon_fresh_units" as units
where 1 = 0
