-- relation: check_identifier
-- grain: one row if several records or persons have a value of an identifier in common
-- inputs: holders
-- outputs: used, holders
-- paper: none
select
    holders.used,
    holders.holders
from "sqlanon_holders_1" as holders
where holders.used < holders.holders
