select
    coded.q1,
    coded.q2,
    coded.s1,
    coded.q1 as s2,
    coded.q2 as s3,
    coded.k1
from "sqlanon_coded" as coded
