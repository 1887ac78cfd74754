with groups as (
    select
        placed.q1_part_3,
        cast(sum(placed.records) as bigint) as records
    from "sqlanon_lattice_placed" as placed
    group by placed.q1_part_3
)

select cast(coalesce(sum(case when groups.records < 20 then groups.records end), 0) as bigint) as failing
from groups
