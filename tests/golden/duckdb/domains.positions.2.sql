-- relation: positions
-- grain: one row per value of a sensitive attribute, and per value its declared order adds
-- inputs: domain
-- outputs: code, value, records, position, node_*
-- paper: Gowda 2023, §2.6.4 and §3.3.1
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
    domain.code,
    domain.value,
    domain.records,
    row_number() over (order by domain.code) as position
from "sqlanon_domain_s2" as domain
