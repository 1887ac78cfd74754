select
    row_number() over (order by coded.q1) as tuple,
    coded.q1,
    count(*) as records
from "sqlanon_coded" as coded
group by coded.q1
