with hashed as (
    select
        read.q1,
        read.q2,
        read.q3,
        read.s1,
        sha256(unhex(getvariable('sqlanon_secret_1_outer')) || unhex(sha256(unhex(getvariable('sqlanon_secret_1_inner')) || encode(cast(read.x1 as varchar))))) as x1
    from "sqlanon_read" as read
)

select
    hashed.q1,
    hashed.q2,
    hashed.q3,
    hashed.s1,
    hashed.x1
from hashed
