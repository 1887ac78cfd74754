-- relation: determined
-- grain: one row per quasi-identifier, of one insensitive column
-- inputs: records, size, held, domain_*
-- outputs: place, determined, by_chance
-- paper: none
-- In how many records the insensitive column gives the quasi-identifier's original value back, and in
-- how many at most it would by chance. Copies, recodings and rescalings of any kind are alike here:
-- what counts is which values come together.
-- A value gives back the commonest original among its records if these are surer of it than the whole
-- table is: they miss it at most a twentieth as often as the table misses its own commonest value.
-- So a few errors do not hide a copy. Values held by fewer than k records are left out: each of them
-- points at a few records whatever else is known, and is counted as such.
-- By chance, n records agree with probability p ^ (n - 1) at most, where p is the share of the table's
-- commonest value; three standard deviations are allowed on top. Where p ^ (n - 1) is below e ^ -20
-- it is 0.
with common as (
    select
        held.x1 as value,
        held.records
    from "sqlanon_held_x1" as held
    where held.records >= 5
),

missing as (
    select count(*) as common
    from common
    where common.value is null
),

pairs as (
    select
        records.x1 as value,
        case
            when grouping(records.q1) = 0 then 1
            when grouping(records.q2) = 0 then 2
        end as place,
        count(*) as records
    from "sqlanon_one_record" as records
    left join common
        on records.x1 = common.value
    cross join missing
    where common.records is not null or (records.x1 is null and missing.common = 1)
    group by
        grouping sets (
            (records.x1, records.q1),
            (records.x1, records.q2)
        )
),

commonest as (
    select
        pairs.value,
        pairs.place,
        cast(sum(pairs.records) as bigint) as records,
        max(pairs.records) as commonest
    from pairs
    group by pairs.value, pairs.place
),

quasi_identifiers as (
    select
        1 as place,
        cast(size.records as double) as records,
        max(domain.records) as commonest
    from "sqlanon_one_domain_q1" as domain
    cross join "sqlanon_person_size" as size
    group by size.records
    union all
    select
        2 as place,
        cast(size.records as double) as records,
        max(domain.records) as commonest
    from "sqlanon_one_domain_q2" as domain
    cross join "sqlanon_person_size" as size
    group by size.records

),

judged as (
    select
        commonest.place,
        cast(commonest.records as double) as records,
        case
            when
                20 * quasi_identifiers.records * (commonest.records - commonest.commonest)
                <= commonest.records * (quasi_identifiers.records - quasi_identifiers.commonest)
                then commonest.commonest
            else 0
        end as determined,
        case
            when
                (commonest.records - 1) * (quasi_identifiers.records - quasi_identifiers.commonest)
                < 20 * quasi_identifiers.records
                then power(quasi_identifiers.commonest / quasi_identifiers.records, commonest.records - 1)
            else cast(0 as double)
        end as chance
    from commonest
    inner join quasi_identifiers
        on commonest.place = quasi_identifiers.place
)

select
    quasi_identifiers.place,
    cast(coalesce(sum(judged.determined), 0) as bigint) as determined,
    cast(
        floor(
            coalesce(
                sum(judged.records * judged.chance)
                + 3 * sqrt(sum(judged.records * judged.records * judged.chance * (1 - judged.chance))),
                0
            ) + 0.5
        ) as bigint
    ) as by_chance
from quasi_identifiers
left join judged
    on quasi_identifiers.place = judged.place
group by quasi_identifiers.place
