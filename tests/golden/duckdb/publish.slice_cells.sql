-- relation: slice_cells
-- grain: one row per tuple of cells
-- inputs: coded, domain_*
-- outputs: q*|s*, records
-- paper: Li, Li, Zhang and Molloy 2012: the domain of an attribute in few cells
-- Cell 0 is NULL. An attribute of few values has a cell for each; of more, cells of about as many records
-- in the order of its values, so that equal values share a cell.
with weighed as (
    select
        1 as place,
        domain_q1.code,
        domain_q1.records
    from "sqlanon_domain_q1" as domain_q1
    where domain_q1.code > 0 and domain_q1.records > 0
    union all
    select
        2 as place,
        domain_q2.code,
        domain_q2.records
    from "sqlanon_domain_q2" as domain_q2
    where domain_q2.code > 0 and domain_q2.records > 0
    union all
    select
        3 as place,
        domain_q3.code,
        domain_q3.records
    from "sqlanon_domain_q3" as domain_q3
    where domain_q3.code > 0 and domain_q3.records > 0
    union all
    select
        4 as place,
        domain_s1.code,
        domain_s1.records
    from "sqlanon_domain_s1" as domain_s1
    where domain_s1.code > 0 and domain_s1.records > 0
    union all
    select
        5 as place,
        domain_s2.code,
        domain_s2.records
    from "sqlanon_domain_s2" as domain_s2
    where domain_s2.code > 0 and domain_s2.records > 0

),

ordered as (
    select
        weighed.place,
        weighed.code,
        cast(
            sum(weighed.records) over (
                partition by weighed.place
                order by weighed.code
                rows between unbounded preceding and current row
            ) - weighed.records as bigint
        ) as below,
        cast(sum(weighed.records) over (partition by weighed.place) as bigint) as known,
        count(*) over (partition by weighed.place) as used
    from weighed
),

placed as (
    select
        ordered.place,
        ordered.code,
        case
            when ordered.used <= 20 then ordered.code
            else
                cast(
                    1
                    + (ordered.below * 20 - ordered.below * 20 % ordered.known)
                    / ordered.known
                    as bigint
                )
        end as cell
    from ordered
)

select
    coalesce(placed_q1.cell, 0) as q1,
    coalesce(placed_q2.cell, 0) as q2,
    coalesce(placed_q3.cell, 0) as q3,
    coalesce(placed_s1.cell, 0) as s1,
    coalesce(placed_s2.cell, 0) as s2,
    count(*) as records
from "sqlanon_slice_coded" as coded
left join placed as placed_q1
    on placed_q1.place = 1 and coded.q1 = placed_q1.code
left join placed as placed_q2
    on placed_q2.place = 2 and coded.q2 = placed_q2.code
left join placed as placed_q3
    on placed_q3.place = 3 and coded.q3 = placed_q3.code
left join placed as placed_s1
    on placed_s1.place = 4 and coded.s1 = placed_s1.code
left join placed as placed_s2
    on placed_s2.place = 5 and coded.s2 = placed_s2.code
group by
    coalesce(placed_q1.cell, 0),
    coalesce(placed_q2.cell, 0),
    coalesce(placed_q3.cell, 0),
    coalesce(placed_s1.cell, 0),
    coalesce(placed_s2.cell, 0)
