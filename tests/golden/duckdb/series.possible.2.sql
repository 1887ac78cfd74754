-- relation: possible
-- grain: one row per group of persons with a value that is left
-- inputs: grouped, pairs, groups?, values_*
-- outputs: number, amount
-- paper: Xiao & Tao 2007, Definition 5, with sets of values that may grow
-- How many sensitive values the persons of a group have among them that every earlier class of theirs
-- shows as well, where values persist: no reader can rule one of them out for any of the persons.
with own as (
    select distinct
        grouped.number,
        cast(pairs.s2 as varchar) as value
    from "sqlanon_pairs_s2" as pairs
    inner join "sqlanon_earlier_grouped" as grouped
        on
            pairs.w1 = grouped.w1
            and pairs.w2 = grouped.w2
)

select
    own.number,
    count(*) as amount
from own
group by own.number
