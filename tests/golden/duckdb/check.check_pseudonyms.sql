-- relation: check_pseudonyms
-- grain: one row per column with cells that are no pseudonyms
-- inputs: released
-- outputs: place, records
-- paper: RFC 2104; FIPS 180-4
-- A pseudonym is 64 hexadecimal digits, or NULL. Whether it is that of its record only the key could tell.
select
    1 as place,
    count(*) as records
from "patients_public" as released
where
    released."patient_id" is not null
    and (
        length(cast(released."patient_id" as varchar)) <> 64
        or length(translate(cast(released."patient_id" as varchar), '0123456789abcdef', '')) > 0
    )
having count(*) > 0
