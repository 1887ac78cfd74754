-- relation: short
-- grain: one row per group of persons of one history who cannot be published
-- inputs: groups, linked_grouped, records, grouped, amounts_*
-- outputs: number
-- paper: none
-- Those who shared all earlier classes, some of whom are not here: readers of the join see who. Where those
-- who are here, or those who are not, would be too few or have too few values, all of them must be left
-- out, which leaves them as they were.
with standing as (
    select
        groups.c1,
        max(
            case
                when groups.persons < 10 then 1
                else 0
            end
        ) as fails,
        count(*) as parts
    from "sqlanon_linked_before_groups" as groups
    where groups.fresh = 0
    group by
        groups.c1
),

short_groups as (
    select groups.number
    from "sqlanon_linked_before_groups" as groups
    inner join standing
        on
            groups.c1 = standing.c1
    where
        groups.c0 > 0
        and (
            standing.fails = 1
            or (
                standing.parts > 1
                and (
                    groups.c1
                ) > 0
            )
        )
)

select grouped.number
from short_groups
inner join "sqlanon_linked_before_grouped" as linked_grouped
    on short_groups.number = linked_grouped.number
inner join "sqlanon_records" as records
    on linked_grouped.name = records.x1
inner join "sqlanon_earlier_grouped" as grouped
    on
        records.w1 = grouped.w1
group by grouped.number
