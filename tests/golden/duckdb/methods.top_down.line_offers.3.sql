-- relation: line_offers
-- grain: one row per code and specialization
-- inputs: cut
-- outputs: code, node, split, to_node, to_level, to_loss, gain
-- paper: Fung, Wang & Yu 2005, §3, continuous attributes
-- Where each interval can be cut in two, after the code "split": between all of its values if they are few,
-- else where its records are parted into equal shares; and beside NULL. Each of its codes is then
-- published as the interval on its side, named by its first code.
with ranked as (
    select
        cut.code,
        cut.node,
        cut.position,
        cut.records,
        count(*) over (partition by cut.node) as codes,
        cast(sum(cut.records) over (partition by cut.node) as bigint) as total,
        cast(sum(cut.records) over (partition by cut.node order by cut.code asc) as bigint) as running,
        lead(cut.code) over (partition by cut.node order by cut.code asc) as next_code,
        lead(cut.position) over (partition by cut.node order by cut.code asc) as next_position
    from "sqlanon_top_down_cut_q1_first" as cut
),

ends as (
    select
        cut.node,
        max(cut.code) as high,
        min(cut.position) as low_position,
        max(cut.position) as high_position
    from "sqlanon_top_down_cut_q1_first" as cut
    group by cut.node
),

splits as (
    select
        ranked.node,
        ranked.code as split,
        ranked.position,
        ranked.next_code,
        ranked.next_position
    from ranked
    where
        ranked.next_code is not null
        and (
            ranked.codes <= 16
            or ranked.code = 0
            or (ranked.running * 16) // ranked.total > ((ranked.running - ranked.records) * 16) // ranked.total
        )
),

sides as (
    select
        cut.code,
        cut.node,
        cut.loss,
        splits.split,
        case when cut.code <= splits.split then cut.node else splits.next_code end as low,
        case when cut.code <= splits.split then splits.split else ends.high end as high,
        case when cut.code <= splits.split then ends.low_position else splits.next_position end as low_position,
        case when cut.code <= splits.split then splits.position else ends.high_position end as high_position
    from "sqlanon_top_down_cut_q1_first" as cut
    inner join splits
        on cut.node = splits.node
    inner join ends
        on cut.node = ends.node
),

priced as (
    select
        sides.code,
        sides.node,
        sides.loss,
        sides.split,
        sides.low,
        case
            when sides.low = sides.high then cast(0 as bigint)
            when sides.low = 0 then cast(500000000 as bigint)
            else cast(floor(coalesce(sides.high_position - sides.low_position, 0) * 500000000 + 0.5) as bigint)
        end as to_loss
    from sides
)

select
    priced.code,
    priced.node,
    priced.split,
    priced.low as to_node,
    0 as to_level,
    priced.to_loss,
    priced.loss - priced.to_loss as gain
from priced
