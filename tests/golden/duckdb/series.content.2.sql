-- relation: content
-- grain: one row
-- inputs: kept
-- outputs: records, content
-- paper: none
-- What binds kept rows to their run: how many they are, and the sum of a number that each row has by its
-- hash, the same in any order and on every engine. DuckDB reads hexadecimal digits at once.
with hashed as (
    select md5(cast(kept."class_id" as varchar) || '|' || coalesce(replace(replace(cast(kept."attribute" as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(kept."value" as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || cast(kept."persons" as varchar)) as row_hash
    from "visits_first__values" as kept
)

select
    count(*) as records,
    cast(coalesce(sum(cast(cast('0x' || left(hashed.row_hash, 12) as bigint) as decimal(38, 0))), 0) as varchar) as content
from hashed
