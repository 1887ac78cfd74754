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
        end as key,
        case candidate_attributes.tie_1
            when 1 then open_parts.q1
            when 2 then open_parts.q2
        end as tie_1,
        case candidate_attributes.tie_2
            when 1 then open_parts.q1
            when 2 then open_parts.q2
        end as tie_2,
        case candidate_attributes.tie_3
            when 1 then open_parts.q1
            when 2 then open_parts.q2
        end as tie_3,
        open_parts.records,
        open_parts.stratum,
        open_parts.q1,
        open_parts.q2,
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
    ranked.stratum,
    ranked.q1,
    ranked.q2,
    ranked.s1
from ranked
