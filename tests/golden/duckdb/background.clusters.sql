-- relation: clusters
-- grain: one row per profile
-- inputs: clusters, joins
-- outputs: code, cluster
-- paper: none
-- A cluster is called by its first profile.
select
    clusters.code,
    coalesce(joins.one, clusters.cluster) as cluster
from "sqlanon_clusters_b1_0" as clusters
left join "sqlanon_joins_b1" as joins
    on clusters.cluster = joins.two
