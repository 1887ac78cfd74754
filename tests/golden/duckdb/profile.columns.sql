select
    profile_values.column_number,
    cast(sum(profile_values.records) as bigint) as known,
    count(*) as used,
    cast(sum(case when profile_values.records = 1 then 1 else 0 end) as bigint) as single,
    max(profile_values.records) as commonest,
    round(
        (
            ln(cast(sum(profile_values.records) as double))
            - sum(profile_values.records * ln(cast(profile_values.records as double)))
            / cast(sum(profile_values.records) as double)
        ) / ln(cast(2 as double)),
        6
    ) as entropy,
    cast(max(profile_values.length) as bigint) as longest,
    min(profile_values.number) as least,
    max(profile_values.number) as greatest,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[^@ ]+@[^@ ]+[.][A-Za-z]{2,}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_email,
    cast(
        sum(case when regexp_matches(profile_values.value, '^(https?|ftp)://') then profile_values.records else 0 end)
        as bigint
    ) as shape_url,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[0-9]{1,3}([.][0-9]{1,3}){3}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_ip,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_uuid,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[A-Z]{2}[0-9]{2} ?[0-9A-Z]{4}( ?[0-9A-Z]{1,4}){2,7}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_iban,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[0-9]{3}-[0-9]{2}-[0-9]{4}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_ssn,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[0-9]{4}[-/.][0-9]{2}([-/.][0-9]{2}([ T].*)?)?$') then profile_values.records else 0 end)
        as bigint
    ) as shape_iso_date,
    cast(
        sum(case when regexp_matches(profile_values.value, '^([0-9]{4}[-/.][0-9]{1,2}[-/.][0-9]{1,2}([ T].*)?|[0-9]{1,2}[-/.][0-9]{1,2}[-/.]([0-9]{2}|[0-9]{4}))$') then profile_values.records else 0 end)
        as bigint
    ) as shape_date,
    cast(
        sum(case when regexp_matches(profile_values.value, '^([+]|00)[0-9][0-9 ()/.-]{6,18}$|^[(]?[0-9]{2,5}[)]?[ /.-][0-9 /.-]{5,14}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_phone,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[0-9]{5}(-[0-9]{4})?$|^[A-Z]{1,2}[0-9][0-9A-Z]? [0-9][A-Z]{2}$') then profile_values.records else 0 end)
        as bigint
    ) as shape_postcode,
    cast(
        sum(case when regexp_matches(profile_values.value, '^[A-TV-Z][0-9][0-9AB]([.]?[0-9A-Z]{1,4})?$') then profile_values.records else 0 end)
        as bigint
    ) as shape_icd
from "sqlanon_profile_values" as profile_values
group by profile_values.column_number
