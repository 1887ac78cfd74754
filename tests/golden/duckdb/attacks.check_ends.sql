select count(*) as classes
from "sqlanon_ends_q3" as ends
where
    ends.stands = 1
    and not (regexp_matches(ends.low, '^([+-]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}( [(]BC[)])?( BC)?|-?infinity)$') and regexp_matches(ends.high, '^([+-]?[0-9]{4,6}-[0-9]{2}-[0-9]{2}( [(]BC[)])?( BC)?|-?infinity)$'))
having count(*) > 0
