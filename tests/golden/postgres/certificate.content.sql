-- relation: content
-- grain: one row
-- inputs: released
-- outputs: records, content
-- paper: none
-- What a certificate says of a published table: how many records it has, and a hash of them that no order
-- of the rows changes and every change of a cell does, the same on every engine.
with labelled as (
    select
        case
            when pg_typeof(released."age_min") not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(released."age_min" as text)
            when cast(released."age_min" as text) = 'NaN' then 'nan'
            when cast(released."age_min" as text) = 'Infinity' then 'inf'
            when cast(released."age_min" as text) = '-Infinity' then '-inf'
            when cast(released."age_min" as text) in ('0', '-0') then cast(released."age_min" as text) || '.0'
            when
                abs(cast(cast(released."age_min" as text) as numeric)) < 0.0001
                or abs(cast(cast(released."age_min" as text) as numeric)) >= 10000000000000000
                then cast(released."age_min" as text)
            when strpos(cast(cast(cast(released."age_min" as text) as numeric) as text), '.') > 0
                then cast(cast(cast(released."age_min" as text) as numeric) as text)
            else cast(cast(cast(released."age_min" as text) as numeric) as text) || '.0'
        end collate "C" as label_1,
        case
            when pg_typeof(released."disease") not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(released."disease" as text)
            when cast(released."disease" as text) = 'NaN' then 'nan'
            when cast(released."disease" as text) = 'Infinity' then 'inf'
            when cast(released."disease" as text) = '-Infinity' then '-inf'
            when cast(released."disease" as text) in ('0', '-0') then cast(released."disease" as text) || '.0'
            when
                abs(cast(cast(released."disease" as text) as numeric)) < 0.0001
                or abs(cast(cast(released."disease" as text) as numeric)) >= 10000000000000000
                then cast(released."disease" as text)
            when strpos(cast(cast(cast(released."disease" as text) as numeric) as text), '.') > 0
                then cast(cast(cast(released."disease" as text) as numeric) as text)
            else cast(cast(cast(released."disease" as text) as numeric) as text) || '.0'
        end collate "C" as label_2
    from "patients_public" as released
),

texts as (
    select
        coalesce(replace(replace(labelled.label_1, '~', '~~'), '|', '~p'), '~n')
        || '|' || coalesce(replace(replace(labelled.label_2, '~', '~~'), '|', '~p'), '~n') as row_text
    from labelled
),

hashed as (
    select encode(sha256(convert_to(texts.row_text, 'UTF8')), 'hex') as row_hash
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
        parts.part || encode(sha256(convert_to(parts.part_text, 'UTF8')), 'hex') as part_hash
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
    encode(sha256(convert_to(whole.whole_text, 'UTF8')), 'hex') as content
from whole
