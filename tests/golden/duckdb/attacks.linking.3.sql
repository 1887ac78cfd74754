-- relation: linking
-- grain: one row
-- inputs: linked, named_*
-- outputs: persons, found, smallest, behind, single, record_linkage, unknown, q*_unknown|s*_certain
-- paper: Kiran & Kavya 2012, §3 (the linking attack); Amiri et al. 2023, equation 4 (record linkage), ties united
-- How many persons find a record that may be theirs, and how few they find.
-- Unknown are persons whom no record fits and who cannot be compared: a value is missing, or is none that the
-- release could name.
with judged as (
    select
        linked.persons,
        linked.matches,
        linked.behind,
        linked.s1_low,
        linked.s1_high,
        case when linked.matches = 0 and (linked.q1 <= 0) then 1 else 0 end
            as q1_unknown,
        case when linked.matches = 0 and (linked.q2 <= 0) then 1 else 0 end
            as q2_unknown,
        case when linked.matches = 0 and (linked.q3 <= 0) then 1 else 0 end
            as q3_unknown
    from "sqlanon_linked" as linked
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
    cast(coalesce(sum(case when judged.q1_unknown + judged.q2_unknown + judged.q3_unknown > 0 then judged.persons else 0 end), 0) as bigint)
        as unknown,
    cast(coalesce(sum(judged.q1_unknown * judged.persons), 0) as bigint) as q1_unknown,
    cast(coalesce(sum(judged.q2_unknown * judged.persons), 0) as bigint) as q2_unknown,
    cast(coalesce(sum(judged.q3_unknown * judged.persons), 0) as bigint) as q3_unknown,
    cast(
        coalesce(sum(case when judged.matches > 0 and judged.s1_low = judged.s1_high then judged.persons else 0 end), 0)
        as bigint
    ) as s1_certain
from judged
