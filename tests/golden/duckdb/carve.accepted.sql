-- relation: accepted
-- grain: one row
-- inputs: accepted_values, carved_values
-- outputs: classes, records, groups
-- paper: none
-- How many classes a band of lattice nodes gave, their records, and how many groups could give one.
select
    count(distinct accepted_values.class_id) as classes,
    cast(coalesce(sum(accepted_values.taken), 0) as bigint) as records,
    (
        select count(distinct carved_values.group_id)
        from "sqlanon_carve_carved" as carved_values
    ) as groups
from "sqlanon_carve_accepted" as accepted_values
