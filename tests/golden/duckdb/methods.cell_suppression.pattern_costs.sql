select
    patterns.cost,
    count(*) as patterns
from "sqlanon_cells_patterns" as patterns
group by patterns.cost
order by patterns.cost asc
