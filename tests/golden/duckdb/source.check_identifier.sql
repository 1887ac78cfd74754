-- relation: check_identifier
-- grain: one row if several records have a value of an identifier in common
-- inputs: holders
-- outputs: used, records
-- paper: none
select
    holders.used,
    holders.records
from "sqlanon_holders_1" as holders
where holders.used < holders.records
