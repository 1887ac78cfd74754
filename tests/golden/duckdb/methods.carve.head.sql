-- relation: head
-- grain: one row
-- inputs: positions
-- outputs: records
-- paper: none
-- How many records have one of the most frequent values of a sensitive attribute.
with most_frequent as (
    select positions.records
    from "sqlanon_positions_s1" as positions
    order by positions.records desc
    limit 1
)

select cast(sum(most_frequent.records) as bigint) as records
from most_frequent
