with hashed as (
    select
        read.q1,
        read.q2,
        read.s1,
        read.x1,
        read.x2,
        read.x3,
        read.x4,
        read.k1,
        encode(sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_outer', true), ''), 'hex') || sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_inner', true), ''), 'hex') || convert_to(cast('correlated_noise|visits|with noise of 0.1 of its standard deviation added, as correlated as visits and pounds are' || '|' || coalesce(replace(replace(cast(read.k1 as varchar), '~', '~~'), '|', '~p'), '~n') as text), 'UTF8'))), 'hex') as d1,
        encode(sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_outer', true), ''), 'hex') || sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_inner', true), ''), 'hex') || convert_to(cast('correlated_noise|pounds|with noise of 0.1 of its standard deviation added, as correlated as visits and pounds are' || '|' || coalesce(replace(replace(cast(read.k1 as varchar), '~', '~~'), '|', '~p'), '~n') as text), 'UTF8'))), 'hex') as d2,
        encode(sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_2_outer', true), ''), 'hex') || sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_2_inner', true), ''), 'hex') || convert_to(cast('swap|ward, pain|swapped between up to 0.1 of the records that agree in sex, the rarest in age and sex first, ward and pain together' || '|' || coalesce(replace(replace(cast(read.k1 as varchar), '~', '~~'), '|', '~p'), '~n') as text), 'UTF8'))), 'hex') as d3
    from "sqlanon_read" as read
)

select
    hashed.q1,
    hashed.q2,
    hashed.s1,
    hashed.x1,
    hashed.x2,
    hashed.x3,
    hashed.x4,
    hashed.k1,
    cast(strpos('0123456789abcdef', substr(hashed.d1, 1, 1)) - 1 as bigint) * 17592186044416 + cast(strpos('0123456789abcdef', substr(hashed.d1, 2, 1)) - 1 as bigint) * 1099511627776 + cast(strpos('0123456789abcdef', substr(hashed.d1, 3, 1)) - 1 as bigint) * 68719476736 + cast(strpos('0123456789abcdef', substr(hashed.d1, 4, 1)) - 1 as bigint) * 4294967296 + cast(strpos('0123456789abcdef', substr(hashed.d1, 5, 1)) - 1 as bigint) * 268435456 + cast(strpos('0123456789abcdef', substr(hashed.d1, 6, 1)) - 1 as bigint) * 16777216 + cast(strpos('0123456789abcdef', substr(hashed.d1, 7, 1)) - 1 as bigint) * 1048576 + cast(strpos('0123456789abcdef', substr(hashed.d1, 8, 1)) - 1 as bigint) * 65536 + cast(strpos('0123456789abcdef', substr(hashed.d1, 9, 1)) - 1 as bigint) * 4096 + cast(strpos('0123456789abcdef', substr(hashed.d1, 10, 1)) - 1 as bigint) * 256 + cast(strpos('0123456789abcdef', substr(hashed.d1, 11, 1)) - 1 as bigint) * 16 + cast(strpos('0123456789abcdef', substr(hashed.d1, 12, 1)) - 1 as bigint) * 1 as d1,
    cast(strpos('0123456789abcdef', substr(hashed.d2, 1, 1)) - 1 as bigint) * 17592186044416 + cast(strpos('0123456789abcdef', substr(hashed.d2, 2, 1)) - 1 as bigint) * 1099511627776 + cast(strpos('0123456789abcdef', substr(hashed.d2, 3, 1)) - 1 as bigint) * 68719476736 + cast(strpos('0123456789abcdef', substr(hashed.d2, 4, 1)) - 1 as bigint) * 4294967296 + cast(strpos('0123456789abcdef', substr(hashed.d2, 5, 1)) - 1 as bigint) * 268435456 + cast(strpos('0123456789abcdef', substr(hashed.d2, 6, 1)) - 1 as bigint) * 16777216 + cast(strpos('0123456789abcdef', substr(hashed.d2, 7, 1)) - 1 as bigint) * 1048576 + cast(strpos('0123456789abcdef', substr(hashed.d2, 8, 1)) - 1 as bigint) * 65536 + cast(strpos('0123456789abcdef', substr(hashed.d2, 9, 1)) - 1 as bigint) * 4096 + cast(strpos('0123456789abcdef', substr(hashed.d2, 10, 1)) - 1 as bigint) * 256 + cast(strpos('0123456789abcdef', substr(hashed.d2, 11, 1)) - 1 as bigint) * 16 + cast(strpos('0123456789abcdef', substr(hashed.d2, 12, 1)) - 1 as bigint) * 1 as d2,
    cast(strpos('0123456789abcdef', substr(hashed.d3, 1, 1)) - 1 as bigint) * 17592186044416 + cast(strpos('0123456789abcdef', substr(hashed.d3, 2, 1)) - 1 as bigint) * 1099511627776 + cast(strpos('0123456789abcdef', substr(hashed.d3, 3, 1)) - 1 as bigint) * 68719476736 + cast(strpos('0123456789abcdef', substr(hashed.d3, 4, 1)) - 1 as bigint) * 4294967296 + cast(strpos('0123456789abcdef', substr(hashed.d3, 5, 1)) - 1 as bigint) * 268435456 + cast(strpos('0123456789abcdef', substr(hashed.d3, 6, 1)) - 1 as bigint) * 16777216 + cast(strpos('0123456789abcdef', substr(hashed.d3, 7, 1)) - 1 as bigint) * 1048576 + cast(strpos('0123456789abcdef', substr(hashed.d3, 8, 1)) - 1 as bigint) * 65536 + cast(strpos('0123456789abcdef', substr(hashed.d3, 9, 1)) - 1 as bigint) * 4096 + cast(strpos('0123456789abcdef', substr(hashed.d3, 10, 1)) - 1 as bigint) * 256 + cast(strpos('0123456789abcdef', substr(hashed.d3, 11, 1)) - 1 as bigint) * 16 + cast(strpos('0123456789abcdef', substr(hashed.d3, 12, 1)) - 1 as bigint) * 1 as d3
from hashed
