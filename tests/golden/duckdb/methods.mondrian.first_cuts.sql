-- relation: best_cuts
-- grain: one row per open node with an allowed cut
-- inputs: begun_level, allowed_cuts, candidate_attributes
-- outputs: node, attribute, dealt, place, position, records, left_loss, right_loss, left_node, right_node
-- paper: LeFevre, DeWitt & Ramakrishnan 2006, Mondrian
-- The allowed cut of every node by its widest quasi-identifier that has one, and the numbers of the
-- two nodes it makes; what they lose decides nothing.
with placed as (
    select
        allowed_cuts.node,
        allowed_cuts.attribute,
        allowed_cuts.dealt,
        allowed_cuts.place,
        allowed_cuts.position,
        allowed_cuts.records,
        row_number() over (
            partition by allowed_cuts.node order by candidate_attributes.turn, allowed_cuts.place
        ) as choice
    from "sqlanon_tree_allowed" as allowed_cuts
    inner join "sqlanon_tree_attributes" as candidate_attributes
        on
            allowed_cuts.node = candidate_attributes.node
            and allowed_cuts.attribute = candidate_attributes.attribute
)

select
    placed.node,
    placed.attribute,
    placed.dealt,
    placed.place,
    placed.position,
    placed.records,
    cast(0 as bigint) as left_loss,
    cast(0 as bigint) as right_loss,
    begun_level.last_node - 1 + 2 * row_number() over (order by placed.node) as left_node,
    begun_level.last_node + 2 * row_number() over (order by placed.node) as right_node
from placed
cross join "sqlanon_tree_begun" as begun_level
where placed.choice = 1
