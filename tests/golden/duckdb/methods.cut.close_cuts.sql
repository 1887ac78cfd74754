select
    allowed_cuts.node,
    allowed_cuts.attribute,
    allowed_cuts.dealt,
    allowed_cuts.cut,
    allowed_cuts.position,
    allowed_cuts.records,
    allowed_cuts.left_loss,
    allowed_cuts.right_loss
from "sqlanon_tree_cheapest" as allowed_cuts
inner join "sqlanon_exact_s1" as exact_s1
    on
        allowed_cuts.node = exact_s1.node
        and allowed_cuts.attribute = exact_s1.attribute
        and allowed_cuts.dealt = exact_s1.dealt
        and allowed_cuts.cut = exact_s1.cut
where
    cast(exact_s1.left_moved as decimal(38, 0)) * 10 <= cast(allowed_cuts.position as decimal(38, 0)) * 57360 * 3
    and cast(exact_s1.right_moved as decimal(38, 0)) * 10 <= cast((allowed_cuts.records - allowed_cuts.position) as decimal(38, 0)) * 57360 * 3
