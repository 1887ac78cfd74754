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
        and offers.candidate in (0)
