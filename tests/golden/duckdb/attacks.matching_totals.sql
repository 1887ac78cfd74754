-- relation: matching_totals
-- grain: one row
-- inputs: matching
-- outputs: records, found, fewest, single, groups, tuples
-- paper: Li, Li, Zhang and Molloy 2012, §5
-- How many groups records may be in; tuples are those of the source, counted in every group that allows them.
select
    cast(coalesce(sum(matching.persons), 0) as bigint) as records,
    cast(coalesce(sum(case when matching.matches > 0 then matching.persons else 0 end), 0) as bigint) as found,
    cast(min(case when matching.matches > 0 then matching.matches end) as bigint) as fewest,
    cast(coalesce(sum(case when matching.matches = 1 then matching.persons else 0 end), 0) as bigint) as single,
    cast(coalesce(sum(cast(matching.persons as bigint) * matching.matches), 0) as bigint) as groups,
    cast(coalesce(sum(matching.matches), 0) as bigint) as tuples
from "sqlanon_known_records_matched" as matching
