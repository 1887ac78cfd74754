with numbered as (
    select
        ranked_parts.node * 2147483648 + min(ranked_parts.cell_id) over (
            partition by ranked_parts.node, ranked_parts.q3
        ) as node,
        ranked_parts.node as whole,
        ranked_parts.attribute,
        ranked_parts.records,
        ranked_parts.before as whole_before,
        ranked_parts.s1,
        ranked_parts.s2
    from "sqlanon_tree_ranked" as ranked_parts
)

-- Records in no order among each other have the same ones before them.
select
    numbered.node,
    numbered.whole,
    numbered.attribute,
    numbered.records,
    cast(
        sum(numbered.records) over (
            partition by numbered.node, numbered.attribute
            order by numbered.whole_before
            range unbounded preceding
        ) - sum(numbered.records) over (
            partition by numbered.node, numbered.attribute, numbered.whole_before
        ) as bigint
    ) as before,
    numbered.whole_before,
    numbered.s1,
    numbered.s2
from numbered
