with representatives as (
    select min(recoded.class_id) as class_id
    from "sqlanon_recoded" as recoded
    group by recoded.ordinal
),

tuples as (
    select
        recoded.ordinal,
        recoded.p1
    from "sqlanon_recoded" as recoded
    inner join representatives
        on recoded.class_id = representatives.class_id
)

select
    tuples.p1 as "town"
from "sqlanon_ordered" as ordered
inner join tuples
    on ordered.ordinal = tuples.ordinal
order by
    ordered.ordinal
