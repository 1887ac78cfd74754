select
    external_table.q1,
    external_table.q2,
    external_table.q3
from "sqlanon_external" as external_table
union all
select
    original_table.q1,
    original_table.q2,
    original_table.q3
from "sqlanon_original" as original_table
