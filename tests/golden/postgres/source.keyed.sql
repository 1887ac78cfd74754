with hashed as (
    select
        read.q1,
        read.q2,
        read.q3,
        read.s1,
        encode(sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_outer', true), ''), 'hex') || sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_inner', true), ''), 'hex') || convert_to(cast(read.x1 as text), 'UTF8'))), 'hex') as x1
    from "sqlanon_read" as read
)

select
    hashed.q1,
    hashed.q2,
    hashed.q3,
    hashed.s1,
    hashed.x1
from hashed
