-- relation: check_one_class
-- grain: one row if a person is in several classes
-- inputs: placed
-- outputs: persons
-- paper: none
with several as (
    select placed.x0
    from "sqlanon_placed" as placed
    group by placed.x0
    having count(*) > 1
)

select count(*) as persons
from several
having count(*) > 0
