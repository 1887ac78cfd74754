-- relation: check_above
-- grain: one row if a person guards a node that the own value does not lie under
-- inputs: coded, spans
-- outputs: records
-- paper: Xiao and Tao 2006, definition 2
select count(*) as records
from "sqlanon_coded" as coded
inner join "sqlanon_spans_s2" as spans
    on coded.g1 = spans.label
where coded.s1 < spans.low or coded.s1 > spans.high
having count(*) > 0
