-- relation: shown
-- grain: one row per record and different value of its group
-- inputs: own, values_apart
-- outputs: p*, weight
-- paper: Xiao & Tao 2006, §3 (anatomy)
-- Each record beside every sensitive value of its group: it has one with the chance that the value is
-- frequent in the group.
with sizes as (
    select
        values_apart.p0,
        sum(values_apart.k0) as records
    from "sqlanon_shown_apart" as values_apart
    group by values_apart.p0
)

select
    own.p1_1,
    own.p2_1,
    values_apart.p3_1,
    values_apart.p4_1,
    cast(values_apart.k0 as double) / sizes.records as weight
from "sqlanon_shown_own" as own
inner join "sqlanon_shown_apart" as values_apart
    on own.p0 = values_apart.p0
inner join sizes
    on own.p0 = sizes.p0
