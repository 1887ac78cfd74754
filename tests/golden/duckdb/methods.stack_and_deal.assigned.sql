select
    cast((stacked.rowid - origin.first_row) % sizes.classes as integer) as class_id,
    stacked.q1,
    stacked.q2
from "sqlanon_stacked" as stacked
cross join "sqlanon_sizes" as sizes
cross join (select min(numbered.rowid) as first_row from "sqlanon_stacked" as numbered) as origin
