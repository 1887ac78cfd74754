-- relation: best_cuts
-- grain: one row per open node with an allowed cut
-- inputs: allowed_cuts, candidate_attributes
-- outputs: node, attribute, dealt, place, position, records, left_node, right_node
-- paper: LeFevre, DeWitt & Ramakrishnan 2006, Mondrian
-- The allowed cut of every node by its widest quasi-identifier that has one, and the numbers of the
-- two nodes it makes.
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
    from "sqlanon_cut_allowed" as allowed_cuts
    inner join "sqlanon_cut_attributes" as candidate_attributes
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
    -1 + 2 * row_number() over (order by placed.node) as left_node,
    0 + 2 * row_number() over (order by placed.node) as right_node
from placed
where placed.choice = 1
