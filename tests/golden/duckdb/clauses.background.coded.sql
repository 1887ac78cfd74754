select
    coded.q1,
    coded.s1,
    coded.k1,
    profiles_b1.code as b1
from "sqlanon_coded" as coded
inner join "sqlanon_profiles_b1" as profiles_b1
    on
        coded.q1 = profiles_b1.q1
