-- relation: stretches
-- grain: one row per cell and stretch of the source's values that it covers
-- inputs: values, spans?, set_members?
-- outputs: cell, first_place, beyond
-- paper: none
-- Which of the source's values, by their places in order, a cell stands for: from the first to just before
-- the one beyond. A member of a set is a stretch of its own; so is every value of the source itself.
select
    spans.class_id as cell,
    lows.below as first_place,
    highs.below + highs.held as beyond
from "sqlanon_spans_q1" as spans
inner join "sqlanon_values_q1" as lows
    on spans.low = lows.code
inner join "sqlanon_values_q1" as highs
    on spans.high = highs.code
where lows.below < highs.below + highs.held
