-- relation: content
-- grain: one row
-- inputs: released
-- outputs: records, content
-- paper: none
-- What a certificate says of a published table: how many records it has, and a hash of them that no order
-- of the rows changes and every change of a cell does, the same on every engine.
with labelled as (
    select
        cast(released."age_min" as varchar) as label_1,
        cast(released."disease" as varchar) as label_2
    from "patients_public" as released
),

texts as (
    select
        coalesce(replace(replace(labelled.label_1, '~', '~~'), '|', '~p'), '~n')
        || '|' || coalesce(replace(replace(labelled.label_2, '~', '~~'), '|', '~p'), '~n') as row_text
    from labelled
),

hashed as (
    select sha256(texts.row_text) as row_hash
    from texts
),

counted as (
    select
        hashed.row_hash,
        count(*) as records
    from hashed
    group by hashed.row_hash
),

parts as (
    select
        left(counted.row_hash, 3) as part,
        sum(counted.records) as records,
        string_agg(counted.row_hash || ':' || cast(counted.records as varchar), ',' order by counted.row_hash) as part_text
    from counted
    group by left(counted.row_hash, 3)
),

part_hashes as (
    select
        parts.records,
        parts.part || sha256(parts.part_text) as part_hash
    from parts
),

whole as (
    select
        cast(coalesce(sum(part_hashes.records), 0) as bigint) as records,
        coalesce(string_agg(part_hashes.part_hash, ',' order by part_hashes.part_hash), '') as whole_text
    from part_hashes
)

select
    whole.records,
    sha256(whole.whole_text) as content
from whole
