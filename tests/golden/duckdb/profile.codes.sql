-- relation: profile_codes
-- grain: one row per column and known code that it holds
-- inputs: profile_values
-- outputs: place, code, records, likely
-- paper: none
-- Which of the codes that stand for a missing value in published data a column holds. Code n is the nth
-- of the list that was given: a value that is not in the list is never told.
-- A word is likely one by itself; some words only among numbers. A negative number is likely one where
-- all others are positive, and one such as 99 where all others are at most two thirds of it (of 7, 8 and
-- 9, half).
with coded as (
    select
        profile_values.place,
        profile_values.number,
        profile_values.records,
        case
            when lower(trim(profile_values.value)) = '?' then 0
            when lower(trim(profile_values.value)) = '' then 1
            when lower(trim(profile_values.value)) = 'na' then 2
            when lower(trim(profile_values.value)) = 'n/a' then 3
            when lower(trim(profile_values.value)) = '#n/a' then 4
            when lower(trim(profile_values.value)) = 'nan' then 5
            when lower(trim(profile_values.value)) = 'null' then 6
            when lower(trim(profile_values.value)) = 'nil' then 7
            when lower(trim(profile_values.value)) = '.' then 8
            when lower(trim(profile_values.value)) = '-' then 9
            when lower(trim(profile_values.value)) = '--' then 10
            when lower(trim(profile_values.value)) = 'missing' then 11
            when lower(trim(profile_values.value)) = 'unknown' then 12
            when lower(trim(profile_values.value)) = 'not available' then 13
            when lower(trim(profile_values.value)) = 'not applicable' then 14
            when lower(trim(profile_values.value)) = 'refused' then 15
            when lower(trim(profile_values.value)) = 'don''t know' then 16
            when lower(trim(profile_values.value)) = 'keine angabe' then 17
            when lower(trim(profile_values.value)) = 'k.a.' then 18
            when lower(trim(profile_values.value)) = 'unbekannt' then 19
            when lower(trim(profile_values.value)) = 'inconnu' then 20
            when lower(trim(profile_values.value)) = 'non renseigné' then 21
            when lower(trim(profile_values.value)) = 'desconocido' then 22
            when lower(trim(profile_values.value)) = 'sin dato' then 23
            when lower(trim(profile_values.value)) = 'no sabe' then 24
            when lower(trim(profile_values.value)) = 'n' then 25
            when lower(trim(profile_values.value)) = 'x' then 26
            when lower(trim(profile_values.value)) = 'none' then 27
            when lower(trim(profile_values.value)) = 'm' then 28
            when profile_values.number = (-1) then 29
            when profile_values.number = (-2) then 30
            when profile_values.number = (-3) then 31
            when profile_values.number = (-4) then 32
            when profile_values.number = (-5) then 33
            when profile_values.number = (-6) then 34
            when profile_values.number = (-7) then 35
            when profile_values.number = (-8) then 36
            when profile_values.number = (-9) then 37
            when profile_values.number = (-66) then 38
            when profile_values.number = (-77) then 39
            when profile_values.number = (-88) then 40
            when profile_values.number = (-99) then 41
            when profile_values.number = (-666) then 42
            when profile_values.number = (-777) then 43
            when profile_values.number = (-888) then 44
            when profile_values.number = (-999) then 45
            when profile_values.number = (-8888) then 46
            when profile_values.number = (-9999) then 47
            when profile_values.number = (-99999) then 48
            when profile_values.number = (7) then 49
            when profile_values.number = (8) then 50
            when profile_values.number = (9) then 51
            when profile_values.number = (77) then 52
            when profile_values.number = (88) then 53
            when profile_values.number = (97) then 54
            when profile_values.number = (98) then 55
            when profile_values.number = (99) then 56
            when profile_values.number = (777) then 57
            when profile_values.number = (888) then 58
            when profile_values.number = (997) then 59
            when profile_values.number = (998) then 60
            when profile_values.number = (999) then 61
            when profile_values.number = (7777) then 62
            when profile_values.number = (8888) then 63
            when profile_values.number = (9997) then 64
            when profile_values.number = (9998) then 65
            when profile_values.number = (9999) then 66
            when profile_values.number = (99999) then 67
            when profile_values.number = (999999) then 68
            when profile_values.number = (9999999) then 69
        end as code
    from "sqlanon_profile_values" as profile_values
),

others as (
    select
        coded.place,
        min(coded.number) as least,
        max(coded.number) as greatest,
        count(coded.number) as used,
        sum(case when coded.number is not null then coded.records else 0 end) as numbers,
        sum(coded.records) as records
    from coded
    where coded.code is null
    group by coded.place
)

select
    coded.place,
    coded.code,
    cast(sum(coded.records) as bigint) as records,
    max(
        case
            when coded.code = 0 then 1
            when coded.code = 1 then 1
            when coded.code = 2 then 1
            when coded.code = 3 then 1
            when coded.code = 4 then 1
            when coded.code = 5 then 1
            when coded.code = 6 then 1
            when coded.code = 7 then 1
            when coded.code = 8 then 1
            when coded.code = 9 then 1
            when coded.code = 10 then 1
            when coded.code = 11 then 1
            when coded.code = 12 then 1
            when coded.code = 13 then 1
            when coded.code = 14 then 1
            when coded.code = 15 then 1
            when coded.code = 16 then 1
            when coded.code = 17 then 1
            when coded.code = 18 then 1
            when coded.code = 19 then 1
            when coded.code = 20 then 1
            when coded.code = 21 then 1
            when coded.code = 22 then 1
            when coded.code = 23 then 1
            when coded.code = 24 then 1
            when others.used < 2 or 10 * others.numbers < 9 * others.records then 0
            when coded.number is null then 1
            when coded.number < 0 and others.least >= 0 then 1
            when coded.number between 1 and 9 and 2 * others.greatest <= coded.number then 1
            when coded.number >= 10 and 3 * others.greatest <= 2 * coded.number then 1
            else 0
        end
    ) as likely
from coded
inner join others
    on coded.place = others.place
where coded.code is not null
group by coded.place, coded.code
