-- relation: sensitive_values
-- grain: one row per combination of a group and sensitive values
-- inputs: assigned, groups, domain_*
-- outputs: *
-- paper: Xiao & Tao 2006, definition 3 (the sensitive table)
-- How many records of each group have which sensitive values.
with counted as (
    select
        formed.group_id,
        assigned.s1,
        count(*) as records
    from "sqlanon_assigned" as assigned
    inner join "sqlanon_groups" as formed
        on assigned.class_id = formed.class_id
    group by formed.group_id, assigned.s1
)

select
    counted.group_id as "group_id",
    domain_s1.value as "disease",
    counted.records as "records"
from counted
inner join "sqlanon_domain_s1" as domain_s1
    on counted.s1 = domain_s1.code
order by
    counted.group_id,
    counted.s1
