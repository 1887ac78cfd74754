-- relation: left_out
-- grain: one row per group of persons who are left out
-- inputs: coded, grouped, standing
-- outputs: class_id, records, failed
-- paper: none
-- The records of persons whom no class could hide from a reader of all releases, and what the persons
-- who share their history violate.
select
    grouped.number as class_id,
    count(*) as records,
    standing.fails as failed
from "sqlanon_coded" as coded
inner join "sqlanon_earlier_grouped" as grouped
    on
        coded.w1 = grouped.w1
        and coded.w2 = grouped.w2
inner join "sqlanon_earlier_standing" as standing
    on grouped.number = standing.number
where standing.fails > 0
group by grouped.number, standing.fails
