select
    minimal.mask,
    count(*) as records
from "sqlanon_minimal" as minimal
group by minimal.mask
