-- relation: assigned
-- grain: one row per record
-- inputs: stacked, sizes
-- outputs: class_id, q*, s*, x*
-- paper: Gowda 2023, §3.3.2
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
select
    stacked.position % sizes.classes as class_id,
    stacked.q1,
    stacked.q2
from "sqlanon_stacked" as stacked
cross join "sqlanon_sizes" as sizes
