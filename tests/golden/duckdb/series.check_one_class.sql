-- relation: check_one_class
-- grain: one row if a person is in several classes
-- inputs: placed
-- outputs: persons
-- paper: none
select count(*) as persons
from "sqlanon_placed" as placed
where placed.class_id <> placed.last_class_id
having count(*) > 0
