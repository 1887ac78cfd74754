with most_frequent as (
    select positions.records
    from "sqlanon_positions_s1" as positions
    order by positions.records desc
    limit 1
)

select cast(sum(most_frequent.records) as bigint) as records
from most_frequent
