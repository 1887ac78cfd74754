select
    cast(sum(standing.persons) as bigint) as persons,
    count(*) as groups,
    cast(sum(standing.fresh * standing.persons) as bigint) as fresh
from "sqlanon_earlier_standing" as standing
where standing.fails > 0
having count(*) > 0
