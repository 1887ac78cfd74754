-- relation: measures
-- grain: one row per measure
-- inputs: standing, departed_*, joined?
-- outputs: measure, attribute, threshold, value, failing_groups, failing_persons
-- paper: none
-- What intersecting the classes of all releases leaves: of the worst group, beside what is
-- asked for; of those who left, of whom nothing is asked; and what joining their rows leaves.
select
    'candidates' as measure,
    cast(null as varchar) as attribute,
    cast(10 as bigint) as threshold,
    cast(min(standing.persons) as bigint) as value,
    cast(coalesce(sum(case when standing.persons < 10 then 1 else 0 end), 0) as bigint) as failing_groups,
    cast(coalesce(sum(case when standing.persons < 10 then standing.persons else 0 end), 0) as bigint) as failing_persons
from "sqlanon_series_standing" as standing
union all
select
    'possible_values' as measure,
    'pain' as attribute,
    cast(2 as bigint) as threshold,
    cast(min(standing.values_s1) as bigint) as value,
    cast(coalesce(sum(case when standing.values_s1 < 2 then 1 else 0 end), 0) as bigint) as failing_groups,
    cast(coalesce(sum(case when standing.values_s1 < 2 then standing.persons else 0 end), 0) as bigint) as failing_persons
from "sqlanon_series_standing" as standing
union all
select
    'left_candidates' as measure,
    cast(null as varchar) as attribute,
    cast(null as bigint) as threshold,
    cast(min(departed.reached) as bigint) as value,
    cast(sum(case when departed.reached < 10 then 1 else 0 end) as bigint) as failing_groups,
    cast(sum(case when departed.reached < 10 then departed.persons else 0 end) as bigint) as failing_persons
from (
    select
        departed.persons,
        departed.persons as reached
    from "sqlanon_series_departed_1" as departed

) as departed
having count(*) > 0
union all
select
    joined.measure,
    joined.attribute,
    joined.threshold,
    joined.value,
    joined.failing_groups,
    joined.failing_persons
from "sqlanon_linked_measures" as joined
