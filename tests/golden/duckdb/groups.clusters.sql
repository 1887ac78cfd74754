-- relation: class_clusters
-- grain: one row per class
-- inputs: class_profiles
-- outputs: class_id, cluster, number
-- paper: none
-- The cluster of every class; a class is a group of its own.
select distinct
    class_profiles.class_id,
    class_profiles.cluster,
    class_profiles.class_id as number
from "sqlanon_class_profiles" as class_profiles
