-- relation: diversities
-- grain: one row per open node, candidate quasi-identifier and kind of cut
-- inputs: left_values
-- outputs: node, attribute, dealt, left_*|right_*
-- paper: Machanavajjhala et al. 2007; Wong et al. 2006
-- Of both sides of every cut: the records of the most frequent value (most_), how many values there
-- are (values_), and the entropy (entropy_), NULL where a side is empty.
select
    left_values.node,
    left_values.attribute,
    left_values.dealt,
    sum(case when left_values.left_1 > 0 then 1 else 0 end) as left_values_1,
    sum(case when left_values.held > left_values.left_1 then 1 else 0 end) as right_values_1,
    sum(case when left_values.left_2 > 0 then 1 else 0 end) as left_values_2,
    sum(case when left_values.held > left_values.left_2 then 1 else 0 end) as right_values_2,
    sum(case when left_values.left_3 > 0 then 1 else 0 end) as left_values_3,
    sum(case when left_values.held > left_values.left_3 then 1 else 0 end) as right_values_3,
    sum(case when left_values.left_4 > 0 then 1 else 0 end) as left_values_4,
    sum(case when left_values.held > left_values.left_4 then 1 else 0 end) as right_values_4
from "sqlanon_tree_left_s1" as left_values
group by left_values.node, left_values.attribute, left_values.dealt
