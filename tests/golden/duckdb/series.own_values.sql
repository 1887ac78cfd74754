-- relation: own_values
-- grain: one row per group of persons and value that one of them has
-- inputs: grouped, pairs
-- outputs: number, value, persons
-- paper: none
select
    grouped.number,
    cast(pairs.s1 as varchar) as value,
    count(*) as persons
from "sqlanon_pairs_s1" as pairs
inner join "sqlanon_earlier_grouped" as grouped
    on
        pairs.w1 = grouped.w1
        and pairs.w2 = grouped.w2
group by grouped.number, cast(pairs.s1 as varchar)
