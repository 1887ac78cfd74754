-- relation: standing
-- grain: one row per group of persons of one history
-- inputs: groups, possible_*, short?
-- outputs: number, persons, fresh, values_*, fails
-- paper: none
-- Each group beside what is asked of it. What it violates first is the place of that demand; 0 if
-- it violates nothing. With distinct l a value may be one person's in l at most. Groups that a join would leave too little of violate k.
select
    groups.number,
    groups.persons,
    groups.fresh,
    coalesce(possible_s1.amount, 0) as values_s1,
    coalesce(possible_s2.amount, 0) as values_s2,
    case
        when groups.persons < 3 then 1
        when coalesce(possible_s1.amount, 0) < 2 then 2
        else 0
    end as fails
from "sqlanon_series_groups" as groups
left join "sqlanon_series_possible_s1" as possible_s1
    on groups.number = possible_s1.number
left join "sqlanon_series_possible_s2" as possible_s2
    on groups.number = possible_s2.number
