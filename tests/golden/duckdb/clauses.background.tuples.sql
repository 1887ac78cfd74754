select
    row_number() over (order by coded.q2) as tuple,
    coded.q2,
    count(*) as records
from "sqlanon_coded" as coded
group by coded.q2
