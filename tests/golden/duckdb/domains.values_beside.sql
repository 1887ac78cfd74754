-- relation: values_beside
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: own, others
-- outputs: value, label, records
-- paper: none
-- The source's values and those beside it, of a population or of the cells of an earlier release; how many
-- records of the source have each: none of what it has not.
with listed as (
    select
        own.value,
        own.label,
        own.records
    from "sqlanon_own_values_q1" as own
    union all
    select
        others.value,
        others.label,
        0 as records
    from "sqlanon_other_values_q1" as others
)

select
    listed.value,
    min(listed.label) as label,
    cast(sum(listed.records) as bigint) as records
from listed
group by listed.value
