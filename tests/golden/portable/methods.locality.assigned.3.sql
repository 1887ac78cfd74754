-- relation: assigned
-- grain: one row per record
-- inputs: stacked, dealt_classes
-- outputs: class_id, q*, s*, x*
-- paper: none
-- The records of a block, along the curve, take the block's places in their spread order.
select
    dealt_classes.class_id,
    stacked.q1,
    stacked.q2,
    stacked.s1
from "sqlanon_stacked" as stacked
inner join "sqlanon_dealt_classes" as dealt_classes
    on stacked.stripe = dealt_classes.stripe and stacked.block = dealt_classes.block and stacked.turn = dealt_classes.turn
