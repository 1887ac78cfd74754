-- relation: linking
-- grain: one row
-- inputs: linked
-- outputs: persons, found, smallest, behind, single, record_linkage, s*_certain
-- paper: Kiran & Kavya 2012, §3 (the linking attack); Amiri et al. 2023, equation 4 (record linkage), ties united
-- How many persons find a record that may be theirs, and how few they find.
select
    cast(coalesce(sum(linked.persons), 0) as bigint) as persons,
    cast(coalesce(sum(case when linked.matches > 0 then linked.persons else 0 end), 0) as bigint) as found,
    cast(min(case when linked.matches > 0 then linked.matches end) as bigint) as smallest,
    cast(min(case when linked.matches > 0 then linked.behind end) as bigint) as behind,
    cast(coalesce(sum(case when linked.matches = 1 then linked.persons else 0 end), 0) as bigint) as single,
    round(
        sum(case when linked.matches > 0 then cast(linked.persons as double) / linked.matches else 0 end)
        / sum(linked.persons),
        9
    ) as record_linkage,
    cast(
        coalesce(sum(case when linked.matches > 0 and linked.s1_low = linked.s1_high then linked.persons else 0 end), 0)
        as bigint
    ) as s1_certain
from "sqlanon_linked" as linked
