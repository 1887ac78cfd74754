-- relation: joins
-- grain: one row per cluster that is joined to an earlier one
-- inputs: links
-- outputs: one, two
-- paper: Amiri et al. 2023, §4, step 1; Murtagh 1983, reciprocal nearest neighbours
-- Clusters each of which is the other's nearest. Under complete linkage a join brings no cluster
-- nearer to another, so that all these can be joined at once: one by one, the nearest pair of all
-- first, comes to the same.
with directed as (
    select
        links.one as cluster,
        links.two as other,
        links.one,
        links.two,
        links.amount
    from "sqlanon_links_b1_0" as links
    union all
    select
        links.two as cluster,
        links.one as other,
        links.one,
        links.two,
        links.amount
    from "sqlanon_links_b1_0" as links
),

ranked as (
    select
        directed.one,
        directed.two,
        row_number() over (
            partition by directed.cluster order by directed.amount, directed.one, directed.two
        ) as place
    from directed
)

select
    ranked.one,
    ranked.two
from ranked
where ranked.place = 1
group by ranked.one, ranked.two
having count(*) = 2
