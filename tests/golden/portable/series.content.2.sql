-- relation: content
-- grain: one row
-- inputs: kept
-- outputs: records, content
-- paper: none
-- What binds kept rows to their run: how many they are, and the sum of a number that each row has by its
-- hash, the same in any order and on every engine.
with hashed as (
    select md5(cast(kept."class_id" as varchar) || '|' || coalesce(replace(replace(cast(kept."attribute" as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(kept."value" as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || cast(kept."persons" as varchar)) as row_hash
    from "visits_first__values" as kept
)

select
    count(*) as records,
    cast(coalesce(sum(cast(cast(strpos('0123456789abcdef', substr(hashed.row_hash, 1, 1)) - 1 as bigint) * 17592186044416 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 2, 1)) - 1 as bigint) * 1099511627776 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 3, 1)) - 1 as bigint) * 68719476736 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 4, 1)) - 1 as bigint) * 4294967296 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 5, 1)) - 1 as bigint) * 268435456 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 6, 1)) - 1 as bigint) * 16777216 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 7, 1)) - 1 as bigint) * 1048576 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 8, 1)) - 1 as bigint) * 65536 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 9, 1)) - 1 as bigint) * 4096 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 10, 1)) - 1 as bigint) * 256 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 11, 1)) - 1 as bigint) * 16 + cast(strpos('0123456789abcdef', substr(hashed.row_hash, 12, 1)) - 1 as bigint) * 1 as decimal(38, 0))), 0) as varchar) as content
from hashed
