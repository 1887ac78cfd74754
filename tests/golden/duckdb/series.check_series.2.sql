-- relation: check_series
-- grain: one row per measure that is violated
-- inputs: measures
-- outputs: measure, attribute, threshold, value, failing_groups, failing_persons
-- paper: none
select
    measures.measure,
    measures.attribute,
    measures.threshold,
    measures.value,
    measures.failing_groups,
    measures.failing_persons
from "visits_third__series" as measures
where measures.threshold is not null and (measures.failing_groups > 0 or measures.value is null)
