-- relation: standing
-- grain: one row per group of persons of one history
-- inputs: groups, possible_*, short?
-- outputs: number, persons, fresh, values_*, fails
-- paper: none
-- Each group beside what is asked of it. What it falls short of first is the place of that demand; 0 if
-- it falls short of nothing. Groups that a join would leave too little of fall short of k.
select
    groups.number,
    groups.persons,
    groups.fresh,
    case
        when groups.persons < 3 then 1
        else 0
    end as fails
from "sqlanon_earlier_groups" as groups
