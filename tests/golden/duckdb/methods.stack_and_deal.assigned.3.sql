-- relation: assigned
-- grain: one row per record
-- inputs: stacked, sizes
-- outputs: class_id, q*, s*, x*
-- paper: Gowda 2023, §3.3.2
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
-- Its place is its row number in the sorted table, counted from the first: inside a transaction
-- DuckDB's row numbers do not start at zero.
select
    cast((stacked.rowid - origin.first_row) % sizes.classes as integer) as class_id,
    stacked.q1,
    stacked.q2
from "sqlanon_stacked" as stacked
cross join "sqlanon_sizes" as sizes
cross join (select min(numbered.rowid) as first_row from "sqlanon_stacked" as numbered) as origin
