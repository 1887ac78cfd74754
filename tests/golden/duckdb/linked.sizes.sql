-- relation: sizes
-- grain: one row per group of persons who are in this release
-- inputs: groups
-- outputs: class_id, records
-- paper: none
-- The groups of a join as classes, to be measured as classes are.
select
    groups.number as class_id,
    cast(groups.persons as bigint) as records
from "sqlanon_linked_groups" as groups
where groups.c0 > 0
