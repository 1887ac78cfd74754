-- relation: check_followed
-- grain: one row if nobody of an earlier release is here
-- inputs: groups
-- outputs: persons
-- paper: none
-- Following it would hold nothing: most likely persons are not named as they were.
select coalesce(sum(case when groups.c1 > 0 then groups.persons else 0 end), 0) as persons
from "sqlanon_earlier_groups" as groups
having coalesce(sum(case when groups.c1 > 0 then groups.persons else 0 end), 0) = 0
