-- relation: height
-- grain: one row
-- inputs: class_cover
-- outputs: height
-- paper: Samarati 2001, §3: the height of a node is the sum of its levels
-- The level of a column is that of its highest label: on every level up to it, what lies lower has the same
-- label. Where a label is none of the hierarchy, nothing is said.
select
    cast(
        (
            case
                when count(class_cover.q1_level) = count(*)
                    then max(class_cover.q1_level)
            end
            + case
                when count(class_cover.q2_level) = count(*)
                    then max(class_cover.q2_level)
            end
        ) as double
    ) as height
from "sqlanon_class_cover" as class_cover
