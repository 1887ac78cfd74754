select
    measures.measure,
    measures.attribute,
    measures.threshold,
    measures.value,
    measures.failing_groups,
    measures.failing_persons
from "visits_third__series" as measures
where measures.threshold is not null and (measures.failing_groups > 0 or measures.value is null)
