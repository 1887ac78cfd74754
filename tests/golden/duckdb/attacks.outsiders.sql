-- relation: outsiders
-- grain: one row
-- inputs: matching, records
-- outputs: outsiders, possible
-- paper: Li, Li, Zhang and Molloy 2012, §5 (fake tuples)
-- The persons whose tuple no record of the source has, and those of them whom some group allows.
select
    cast(coalesce(sum(matching.persons), 0) as bigint) as outsiders,
    cast(coalesce(sum(case when matching.matches > 0 then matching.persons else 0 end), 0) as bigint) as possible
from "sqlanon_known_persons_matched" as matching
left join "sqlanon_known_records" as records
    on
        matching.q2 = records.q2
        and matching.q1 = records.q1
        and matching.q3 = records.q3
where records.persons is null
