-- relation: levels
-- grain: one row per leaf of the hierarchy
-- inputs: domain
-- outputs: code, node_*
-- paper: none
-- The node over every leaf at each level, named by its first leaf; the last level is the root.
select
    domain.code,
    domain.node_0,
    domain.node_1,
    domain.node_2,
    domain.node_3,
    min(domain.code) over () as node_4
from "sqlanon_domain_q1" as domain
