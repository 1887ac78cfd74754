with shown_1 as (
    select
        shown_parts.q1,
        shown_parts.q3,
        shown_parts.q4,
        count(*) as parts
    from "sqlanon_shown_parts_1" as shown_parts
    where
        shown_parts.q3 >= 0
        and shown_parts.q4 >= 0
    group by shown_parts.q1, shown_parts.q3, shown_parts.q4
),

known_1 as (
    select
        known_parts.q1,
        known_parts.q3,
        known_parts.q4,
        count(*) as parts
    from "sqlanon_known_parts_1" as known_parts
    group by known_parts.q1, known_parts.q3, known_parts.q4
),

shown_2 as (
    select
        shown_parts.q1,
        shown_parts.q4,
        count(*) as parts
    from "sqlanon_shown_parts_1" as shown_parts
    where
        shown_parts.q3 = -1
        and shown_parts.q4 >= 0
    group by shown_parts.q1, shown_parts.q4
),

known_2 as (
    select
        known_parts.q1,
        known_parts.q4,
        count(*) as parts
    from "sqlanon_known_parts_1" as known_parts
    group by known_parts.q1, known_parts.q4
),

shown_3 as (
    select
        shown_parts.q1,
        count(*) as parts
    from "sqlanon_shown_parts_1" as shown_parts
    where
        shown_parts.q3 = -1
        and shown_parts.q4 = -1
    group by shown_parts.q1
),

known_3 as (
    select
        known_parts.q1,
        count(*) as parts
    from "sqlanon_known_parts_1" as known_parts
    group by known_parts.q1
),

pairs as (
    select cast(coalesce(sum(cast(shown_1.parts as double) * known_1.parts), 0) as bigint) as comparisons
    from shown_1
    inner join known_1
        on
            shown_1.q1 = known_1.q1
            and shown_1.q3 = known_1.q3
            and shown_1.q4 = known_1.q4
    union all
    select cast(coalesce(sum(cast(shown_2.parts as double) * known_2.parts), 0) as bigint) as comparisons
    from shown_2
    inner join known_2
        on
            shown_2.q1 = known_2.q1
            and shown_2.q4 = known_2.q4
    union all
    select cast(coalesce(sum(cast(shown_3.parts as double) * known_3.parts), 0) as bigint) as comparisons
    from shown_3
    inner join known_3
        on
            shown_3.q1 = known_3.q1

)

select cast(sum(pairs.comparisons) as bigint) as comparisons
from pairs
