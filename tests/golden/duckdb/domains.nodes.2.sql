-- relation: nodes
-- grain: one row per label of the hierarchy; the label of NULL is NULL
-- inputs: domain
-- outputs: label, leaves, meanings
-- paper: none
-- What a published label stands for: how many leaves lie under it. A label that names several
-- different groups has several meanings, and the hierarchy is refused.
with labelled as (
    select
        domain.level_0 as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
    group by domain.level_0, domain.node_0
    union all
    select
        domain.level_1 as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
    group by domain.level_1, domain.node_1
    union all
    select
        domain.level_2 as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
    group by domain.level_2, domain.node_2
    union all
    select
        '*' as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "sqlanon_domain_q2" as domain
)

select
    labelled.label,
    max(labelled.leaves) as leaves,
    count(distinct labelled.first_leaf * 4294967296 + labelled.last_leaf) as meanings
from labelled
group by labelled.label
