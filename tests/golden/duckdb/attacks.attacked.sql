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
