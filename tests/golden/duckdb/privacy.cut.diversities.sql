select
    left_values.node,
    left_values.attribute,
    left_values.dealt,
    max(left_values.left_1) as left_most_1,
    max(left_values.held - left_values.left_1) as right_most_1,
    max(left_values.left_2) as left_most_2,
    max(left_values.held - left_values.left_2) as right_most_2,
    max(left_values.left_3) as left_most_3,
    max(left_values.held - left_values.left_3) as right_most_3,
    max(left_values.left_4) as left_most_4,
    max(left_values.held - left_values.left_4) as right_most_4
from "sqlanon_tree_left_s1" as left_values
group by left_values.node, left_values.attribute, left_values.dealt
