-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, label, records
-- paper: none
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one, and
-- 1.0 and 1.00, are told apart where the value is published as it is; elsewhere they are one, written
-- in the way that is first as text, zero without a sign.
with counted as (
    select
        records.s1 as value,
        count(*) as records
    from "sqlanon_pairs_s1" as records
    group by records.s1
),

labelled as (
    select
        counted.value,
        case
            when pg_typeof(counted.value) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(counted.value as text)
            when cast(counted.value as text) = 'NaN' then 'nan'
            when cast(counted.value as text) = 'Infinity' then 'inf'
            when cast(counted.value as text) = '-Infinity' then '-inf'
            when cast(counted.value as text) in ('0', '-0') then cast(counted.value as text) || '.0'
            when
                abs(cast(cast(counted.value as text) as numeric)) < 0.0001
                or abs(cast(cast(counted.value as text) as numeric)) >= 10000000000000000
                then cast(counted.value as text)
            when strpos(cast(cast(cast(counted.value as text) as numeric) as text), '.') > 0
                then cast(cast(cast(counted.value as text) as numeric) as text)
            else cast(cast(cast(counted.value as text) as numeric) as text) || '.0'
        end collate "C" as label,
        counted.records
    from counted
)

select
    labelled.value,
    labelled.label,
    labelled.records
from labelled
