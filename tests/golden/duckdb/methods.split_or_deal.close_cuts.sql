-- relation: close_cuts
-- grain: one row per cut that keeps every model
-- inputs: allowed_cuts, exact_*
-- outputs: node, attribute, dealt, place, position, records, left_loss*, right_loss*
-- paper: sqlanon, Split-or-Deal §5
-- Of the cuts that are allowed as far as that is measured of all, those whose two sides meet the rest.
select
    allowed_cuts.node,
    allowed_cuts.attribute,
    allowed_cuts.dealt,
    allowed_cuts.place,
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
        and allowed_cuts.place = exact_s1.place
where
    cast(exact_s1.left_moved as decimal(38, 0)) * 10 <= cast(allowed_cuts.position as decimal(38, 0)) * 57360 * 3
    and cast(exact_s1.right_moved as decimal(38, 0)) * 10 <= cast((allowed_cuts.records - allowed_cuts.position) as decimal(38, 0)) * 57360 * 3
