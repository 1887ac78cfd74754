-- relation: fresh_units
-- grain: one row per person
-- inputs: units, grouped, standing
-- outputs: q*, s*, x0
-- paper: none
-- One record of each person who is in no earlier release, if they are enough to be published.
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
