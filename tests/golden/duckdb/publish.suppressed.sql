-- relation: suppressed
-- grain: one row per record
-- inputs: assigned
-- outputs: class_id, q*|s*
-- paper: Kiruthika & Raseen, §8.3, of sets in place of pairs
-- Records of a class that are alike in the leading quasi-identifiers have the next one suppressed: code -1
-- stands for it. Alike is what the source says, so that the order of records does not matter.
select
    assigned.class_id,
    assigned.q1,
    assigned.q2,
    case
        when
            count(*) over (
                partition by assigned.class_id, assigned.q1, assigned.q2
            ) > 1
            then -1
        else assigned.q3
    end as q3,
    case
        when
            count(*) over (
                partition by assigned.class_id, assigned.q1, assigned.q2, assigned.q3
            ) > 1
            then -1
        else assigned.q4
    end as q4,
    assigned.s1
from "sqlanon_assigned" as assigned
