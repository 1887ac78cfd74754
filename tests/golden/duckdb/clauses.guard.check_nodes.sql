with unknown as (
    select
        coded.g1 as label,
        count(*) as records
    from "sqlanon_coded" as coded
    left join "sqlanon_spans_s2" as spans
        on coded.g1 = spans.label
    where coded.g1 is not null and spans.label is null
    group by coded.g1
)

select
    count(*) as labels,
    cast(sum(unknown.records) as bigint) as records
from unknown
having count(*) > 0
