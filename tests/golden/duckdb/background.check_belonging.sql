-- relation: check_belonging
-- grain: one row if what stands beside the release is not what the source says of it
-- inputs: coded, beside, domain_*
-- outputs: differing
-- paper: none
-- No combination of profiles, guards and sensitive values is released more often than the source has it; the
-- ledger sees to it that none is missing which was not left out.
with rows_of_both as (
    select
        coded.s2,
        domain_s1.value as s1,
        1 as side
    from "sqlanon_guarded_coded" as coded
    inner join "sqlanon_domain_s1" as domain_s1
        on coded.s1 = domain_s1.code
    union all
    select
        beside.s2,
        beside.s1,
        -1 as side
    from "sqlanon_beside" as beside
),

unequal as (
    select sum(rows_of_both.side) as excess
    from rows_of_both
    group by
        rows_of_both.s2,
        rows_of_both.s1
    having sum(rows_of_both.side) < 0
)

select count(*) as differing
from unequal
having count(*) > 0
