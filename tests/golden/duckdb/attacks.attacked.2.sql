-- relation: attacked
-- grain: one row per class and attack
-- inputs: found_*
-- outputs: attack, attribute, class_id, records, value, exposed
-- paper: none
-- What every attack finds in every class, for the publisher alone.
select
    cast('homogeneity' as varchar) as attack,
    cast('disease' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_homogeneity_s1" as found
union all
select
    cast('skewness' as varchar) as attack,
    cast('disease' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_skewness_s1" as found
union all
select
    cast('similarity' as varchar) as attack,
    cast('disease' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_similarity_s1" as found
union all
select
    cast('homogeneity' as varchar) as attack,
    cast('pain' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_homogeneity_s2" as found
union all
select
    cast('skewness' as varchar) as attack,
    cast('pain' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_skewness_s2" as found
union all
select
    cast('similarity' as varchar) as attack,
    cast('pain' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_similarity_s2" as found
union all
select
    cast('homogeneity' as varchar) as attack,
    cast('salary' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_homogeneity_s3" as found
union all
select
    cast('skewness' as varchar) as attack,
    cast('salary' as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_attack_skewness_s3" as found
union all
select
    cast('membership' as varchar) as attack,
    cast(null as varchar) as attribute,
    found.class_id,
    found.records,
    found.value,
    found.exposed
from "sqlanon_covered" as found
