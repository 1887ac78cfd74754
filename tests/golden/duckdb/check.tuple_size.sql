-- relation: tuple_size
-- grain: one row
-- inputs: tuples
-- outputs: records
-- paper: none
-- How many records of the source have the most frequent tuple.
select coalesce(max(tuples.in_source), 0) as records
from "sqlanon_shown_tuples" as tuples
