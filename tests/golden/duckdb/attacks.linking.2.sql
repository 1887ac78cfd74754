-- relation: linking
-- grain: one row
-- inputs: linked, named_*
-- outputs: persons, found, smallest, behind, single, record_linkage, unknown, q*_unknown|s*_certain
-- paper: Kiran & Kavya 2012, §3 (the linking attack); Amiri et al. 2023, equation 4 (record linkage), ties united
-- How many persons find a record that may be theirs, and how few they find.
-- Unknown are persons whom no record fits and who cannot be compared: a value is missing, or is none that the
-- release could name.
with names_q6 as (
    select distinct named_q6.code as named_code
    from "sqlanon_external_members_q6" as named_q6
),

judged as (
    select
        linked.persons,
        linked.matches,
        linked.behind,
        linked.s1_low,
        linked.s1_high,
        linked.s2_low,
        linked.s2_high,
        linked.s3_low,
        linked.s3_high,
        case when linked.matches = 0 and (linked.q1 <= 0) then 1 else 0 end
            as q1_unknown,
        case when linked.matches = 0 and (linked.q2 <= 0) then 1 else 0 end
            as q2_unknown,
        case when linked.matches = 0 and (linked.q3 <= 0) then 1 else 0 end
            as q3_unknown,
        case when linked.matches = 0 and (linked.q4 <= 0) then 1 else 0 end
            as q4_unknown,
        case when linked.matches = 0 and (linked.q5 <= 0) then 1 else 0 end
            as q5_unknown,
        case when linked.matches = 0 and (linked.q6 <= 0 or names_q6.named_code is null) then 1 else 0 end
            as q6_unknown,
        case when linked.matches = 0 and (linked.q7 <= 0) then 1 else 0 end
            as q7_unknown
    from "sqlanon_linked" as linked
    left join names_q6
        on linked.q6 = names_q6.named_code
)

select
    cast(coalesce(sum(judged.persons), 0) as bigint) as persons,
    cast(coalesce(sum(case when judged.matches > 0 then judged.persons else 0 end), 0) as bigint) as found,
    cast(min(case when judged.matches > 0 then judged.matches end) as bigint) as smallest,
    cast(min(case when judged.matches > 0 then judged.behind end) as bigint) as behind,
    cast(coalesce(sum(case when judged.matches = 1 then judged.persons else 0 end), 0) as bigint) as single,
    round(
        sum(case when judged.matches > 0 then cast(judged.persons as double) / judged.matches else 0 end)
        / sum(judged.persons),
        9
    ) as record_linkage,
    cast(coalesce(sum(case when judged.q1_unknown + judged.q2_unknown + judged.q3_unknown + judged.q4_unknown + judged.q5_unknown + judged.q6_unknown + judged.q7_unknown > 0 then judged.persons else 0 end), 0) as bigint)
        as unknown,
    cast(coalesce(sum(judged.q1_unknown * judged.persons), 0) as bigint) as q1_unknown,
    cast(coalesce(sum(judged.q2_unknown * judged.persons), 0) as bigint) as q2_unknown,
    cast(coalesce(sum(judged.q3_unknown * judged.persons), 0) as bigint) as q3_unknown,
    cast(coalesce(sum(judged.q4_unknown * judged.persons), 0) as bigint) as q4_unknown,
    cast(coalesce(sum(judged.q5_unknown * judged.persons), 0) as bigint) as q5_unknown,
    cast(coalesce(sum(judged.q6_unknown * judged.persons), 0) as bigint) as q6_unknown,
    cast(coalesce(sum(judged.q7_unknown * judged.persons), 0) as bigint) as q7_unknown,
    cast(
        coalesce(sum(case when judged.matches > 0 and judged.s1_low = judged.s1_high then judged.persons else 0 end), 0)
        as bigint
    ) as s1_certain,
    cast(
        coalesce(sum(case when judged.matches > 0 and judged.s2_low = judged.s2_high then judged.persons else 0 end), 0)
        as bigint
    ) as s2_certain,
    cast(
        coalesce(sum(case when judged.matches > 0 and judged.s3_low = judged.s3_high then judged.persons else 0 end), 0)
        as bigint
    ) as s3_certain
from judged
