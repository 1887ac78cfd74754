-- relation: ranked_parts
-- grain: one row per open part and candidate quasi-identifier of its node
-- inputs: open_parts, candidate_attributes
-- outputs: node, root, attribute, node_records, cell_id, key, records, before, stratum, q*|s*
-- paper: sqlanon, Split-or-Deal §4
-- The parts of a node by their values of a quasi-identifier: how many records of the node have lower
-- ones. As ranked_parts, for cuts between two values alone: the records of one value need no order,
-- and to sort values takes a fraction of what it takes to sort parts.
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
            when 4 then open_parts.q4
            when 5 then open_parts.q5
            when 6 then open_parts.q6
            when 7 then open_parts.q7
        end as key,
        open_parts.records,
        open_parts.stratum,
        open_parts.q1,
        open_parts.q2,
        open_parts.q3,
        open_parts.q4,
        open_parts.q5,
        open_parts.q6,
        open_parts.q7,
        open_parts.s1,
        open_parts.s2,
        open_parts.s3
    from "sqlanon_tree_left_in_1" as open_parts
    inner join "sqlanon_tree_attributes" as candidate_attributes
        on open_parts.node = candidate_attributes.node
),

counted as (
    select
        keyed.node,
        keyed.attribute,
        keyed.key,
        cast(sum(keyed.records) as bigint) as records
    from keyed
    group by keyed.node, keyed.attribute, keyed.key
),

-- A running sum of doubles is exact up to 2^53, and takes DuckDB half as long as one of integers.
placed as (
    select
        counted.node,
        counted.attribute,
        counted.key,
        cast(
            sum(cast(counted.records as double)) over (
                partition by counted.node, counted.attribute
                order by counted.key
                rows unbounded preceding
            ) - counted.records as bigint
        ) as before
    from counted
)

select
    keyed.node,
    keyed.root,
    keyed.attribute,
    keyed.node_records,
    keyed.cell_id,
    keyed.key,
    keyed.records,
    placed.before,
    keyed.stratum,
    keyed.q1,
    keyed.q2,
    keyed.q3,
    keyed.q4,
    keyed.q5,
    keyed.q6,
    keyed.q7,
    keyed.s1,
    keyed.s2,
    keyed.s3
from keyed
inner join placed
    on
        keyed.node = placed.node
        and keyed.attribute = placed.attribute
        and keyed.key = placed.key
