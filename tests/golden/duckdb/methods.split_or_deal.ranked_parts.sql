-- relation: ranked_parts
-- grain: one row per open part and candidate quasi-identifier of its node
-- inputs: open_parts, candidate_attributes
-- outputs: node, root, attribute, node_records, cell_id, key, records, before, block_before*, stratum, q*|s*
-- paper: sqlanon, Split-or-Deal §4
-- The parts of a node in the order of a quasi-identifier: how many records lie before each, in the
-- node and, where it may be dealt, in its block: the records of its stratum. A running sum of doubles
-- is exact up to 2^53, and takes DuckDB half as long as one of integers.
with keyed as (
    select
        open_parts.node,
        open_parts.root,
        candidate_attributes.attribute,
        candidate_attributes.records as node_records,
        open_parts.cell_id,
        case candidate_attributes.attribute
            when 1 then open_parts.q1
            when 2 then open_parts.q2
            when 3 then open_parts.q3
        end as key,
        case candidate_attributes.tie_1
            when 1 then open_parts.q1
            when 2 then open_parts.q2
            when 3 then open_parts.q3
        end as tie_1,
        case candidate_attributes.tie_2
            when 1 then open_parts.q1
            when 2 then open_parts.q2
            when 3 then open_parts.q3
        end as tie_2,
        case candidate_attributes.tie_3
            when 1 then open_parts.q1
            when 2 then open_parts.q2
            when 3 then open_parts.q3
        end as tie_3,
        open_parts.records,
        open_parts.stratum,
        open_parts.q1,
        open_parts.q2,
        open_parts.q3,
        open_parts.s1
    from "sqlanon_tree_first" as open_parts
    inner join "sqlanon_tree_attributes" as candidate_attributes
        on open_parts.node = candidate_attributes.node
),

ranked as (
    select
        keyed.node,
        keyed.root,
        keyed.attribute,
        keyed.node_records,
        keyed.cell_id,
        keyed.key,
        keyed.records,
        cast(
            sum(cast(keyed.records as double)) over (
                partition by keyed.node, keyed.attribute
                order by keyed.key, keyed.tie_1, keyed.tie_2, keyed.tie_3, keyed.cell_id
                rows unbounded preceding
            ) - keyed.records as bigint
        ) as before,
        keyed.stratum,
        keyed.q1,
        keyed.q2,
        keyed.q3,
        keyed.s1
    from keyed
)

select
    ranked.node,
    ranked.root,
    ranked.attribute,
    ranked.node_records,
    ranked.cell_id,
    ranked.key,
    ranked.records,
    ranked.before,
    cast(
        sum(cast(ranked.records as double)) over (
            partition by ranked.node, ranked.attribute, ranked.stratum
            order by ranked.before
            rows unbounded preceding
        ) - ranked.records as bigint
    ) as block_before,
    ranked.stratum,
    ranked.q1,
    ranked.q2,
    ranked.q3,
    ranked.s1
from ranked
