select
    left_values.node,
    left_values.attribute,
    left_values.dealt,
    sum(case when left_values.left_1 > 0 then 1 else 0 end) as left_values_1,
    sum(case when left_values.held > left_values.left_1 then 1 else 0 end) as right_values_1,
    sum(case when left_values.left_2 > 0 then 1 else 0 end) as left_values_2,
    sum(case when left_values.held > left_values.left_2 then 1 else 0 end) as right_values_2
from "sqlanon_tree_left_s1" as left_values
group by left_values.node, left_values.attribute, left_values.dealt
