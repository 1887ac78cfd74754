-- relation: special
-- grain: one row per combination of columns
-- inputs: minimal
-- outputs: mask, records
-- paper: Elliot et al. 2002
-- How many records are alone with the columns, and with none of fewer.
select
    minimal.mask,
    count(*) as records
from "sqlanon_minimal" as minimal
group by minimal.mask
