with named as (
    select distinct
        minimal.q1,
        minimal.q2,
        minimal.q3
    from "sqlanon_minimal" as minimal
    where
        (minimal.mask % 2 - minimal.mask % 1) / 1 + (minimal.mask % 4 - minimal.mask % 2) / 2 + (minimal.mask % 8 - minimal.mask % 4) / 4 <= 2
)

select count(*) as records
from named
