-- relation: assigned
-- grain: one row per record
-- inputs: stacked, dealt_classes
-- outputs: class_id, q*, s*, x*
-- paper: none
-- The records of a block, along the curve, take the block's places in their spread order: both
-- tables stand in that order, so row meets row.
select
    dealt_classes.class_id,
    stacked.q1,
    stacked.q2,
    stacked.s1,
    stacked.s2,
    stacked.x1
from "sqlanon_stacked" as stacked
positional join "sqlanon_dealt_classes" as dealt_classes
