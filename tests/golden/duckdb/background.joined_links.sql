-- relation: links
-- grain: one row per cluster and later cluster that it may be joined with
-- inputs: links, joins
-- outputs: one, two, amount
-- paper: Amiri et al. 2023, §4, step 1
-- Complete linkage: two clusters are as far apart as their furthest profiles. Where a part of one may
-- not be joined with a part of the other, they may not.
with parts as (
    select
        joins.one as cluster,
        joins.one as part
    from "sqlanon_joins_b1" as joins
    union all
    select
        joins.one as cluster,
        joins.two as part
    from "sqlanon_joins_b1" as joins
),

renamed as (
    select
        least(coalesce(first_parts.cluster, links.one), coalesce(second_parts.cluster, links.two)) as one,
        greatest(coalesce(first_parts.cluster, links.one), coalesce(second_parts.cluster, links.two)) as two,
        case when first_parts.cluster is null then 1 else 2 end
        * case when second_parts.cluster is null then 1 else 2 end as needed,
        links.amount
    from "sqlanon_links_b1_0" as links
    left join parts as first_parts
        on links.one = first_parts.part
    left join parts as second_parts
        on links.two = second_parts.part
)

select
    renamed.one,
    renamed.two,
    max(renamed.amount) as amount
from renamed
where renamed.one < renamed.two
group by renamed.one, renamed.two
having count(*) = max(renamed.needed)
