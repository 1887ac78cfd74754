-- relation: group_states
-- grain: one row per group of classes
-- inputs: held
-- outputs: number, cluster, fails
-- paper: none
-- Whether a group violates any model. All lie in one cluster: any may join any other.
select
    held.class_id as number,
    0 as cluster,
    1 - min(held.holds) as fails
from "sqlanon_merge_held" as held
group by held.class_id
