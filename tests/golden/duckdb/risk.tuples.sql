with told as (
    select
        records.q1,
        records.q2,
        records.q3
    from "sqlanon_population_records" as records
)

select
    told.q1,
    told.q2,
    told.q3,
    count(*) as records
from told
group by told.q1, told.q2, told.q3
