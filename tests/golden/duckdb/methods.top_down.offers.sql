-- relation: offers
-- grain: one row per code and specialization
-- inputs: offers_*, closed?
-- outputs: candidate, part, place, node, split, code, to_node, to_level, to_loss, gain
-- paper: none
-- All specializations that are left, of all columns, numbered; each is known by its first part. Those that
-- are closed fail whatever else is specialized.
with offered as (
    select
        0 as place,
        offers.node,
        offers.split,
        offers.code,
        offers.to_node,
        offers.to_level,
        offers.to_loss,
        offers.gain
    from "sqlanon_top_down_offers_q1" as offers
    union all
    select
        1 as place,
        offers.node,
        offers.split,
        offers.code,
        offers.to_node,
        offers.to_level,
        offers.to_loss,
        offers.gain
    from "sqlanon_top_down_offers_q2" as offers
    union all
    select
        2 as place,
        offers.node,
        offers.split,
        offers.code,
        offers.to_node,
        offers.to_level,
        offers.to_loss,
        offers.gain
    from "sqlanon_top_down_offers_q3" as offers
    union all
    select
        3 as place,
        offers.node,
        offers.split,
        offers.code,
        offers.to_node,
        offers.to_level,
        offers.to_loss,
        offers.gain
    from "sqlanon_top_down_offers_q4" as offers

),

parts as (
    select
        offered.place,
        offered.node,
        offered.split,
        offered.to_node
    from offered
    group by offered.place, offered.node, offered.split, offered.to_node
),

numbered as (
    select
        parts.place,
        parts.node,
        parts.split,
        parts.to_node,
        row_number() over (order by parts.place, parts.node, parts.split, parts.to_node) - 1 as part
    from parts
),

candidates as (
    select
        numbered.place,
        numbered.node,
        numbered.split,
        numbered.to_node,
        numbered.part,
        min(numbered.part) over (partition by numbered.place, numbered.node, numbered.split) as candidate
    from numbered
)

select
    candidates.candidate,
    candidates.part,
    offered.place,
    offered.node,
    offered.split,
    offered.code,
    offered.to_node,
    offered.to_level,
    offered.to_loss,
    offered.gain
from offered
inner join candidates
    on
        offered.place = candidates.place
        and offered.node = candidates.node
        and offered.split = candidates.split
        and offered.to_node = candidates.to_node
