-- relation: next_cut
-- grain: one row per code
-- inputs: cut, offers
-- outputs: code, records, level, node, loss, position
-- paper: none
-- The cut of a column after some of its specializations.
select
    cut.code,
    cut.records,
    coalesce(offers.to_level, cut.level) as level,
    coalesce(offers.to_node, cut.node) as node,
    coalesce(offers.to_loss, cut.loss) as loss,
    cut.position
from "sqlanon_top_down_cut_q1_first" as cut
left join "sqlanon_top_down_offers" as offers
    on
        cut.code = offers.code
        and offers.candidate in (14)
