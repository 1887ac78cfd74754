select
    units.q1,
    units.q2,
    units.s0,
    units.x0
from "sqlanon_units" as units
inner join "sqlanon_earlier_grouped" as grouped
    on units.x0 = grouped.x0
inner join "sqlanon_earlier_standing" as standing
    on grouped.number = standing.number
where standing.fresh = 1 and standing.fails = 0
