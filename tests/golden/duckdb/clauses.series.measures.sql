select
    'candidates' as measure,
    cast(null as varchar) as attribute,
    cast(3 as varchar) as threshold,
    cast(min(standing.persons) as double) as value,
    cast(coalesce(sum(case when standing.persons < 3 then 1 else 0 end), 0) as bigint) as failing_groups,
    cast(coalesce(sum(case when standing.persons < 3 then standing.persons else 0 end), 0) as bigint) as failing_persons
from "sqlanon_series_standing" as standing
union all
select
    'left_candidates' as measure,
    cast(null as varchar) as attribute,
    cast(null as varchar) as threshold,
    cast(min(departed.reached) as double) as value,
    cast(sum(case when departed.reached < 3 then 1 else 0 end) as bigint) as failing_groups,
    cast(sum(case when departed.reached < 3 then departed.persons else 0 end) as bigint) as failing_persons
from (
    select
        departed.persons,
        departed.persons as reached
    from "sqlanon_series_departed_1" as departed

) as departed
having count(*) > 0
