select
    clusters.code,
    coalesce(joins.one, clusters.cluster) as cluster
from "sqlanon_clusters_b1_0" as clusters
left join "sqlanon_joins_b1" as joins
    on clusters.cluster = joins.two
