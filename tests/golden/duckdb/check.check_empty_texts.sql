-- relation: check_empty_texts
-- grain: one row per column that has NULL where it may have had empty text
-- inputs: records, shown
-- outputs: place, texts
-- paper: none
-- Where a text file writes empty text as it writes NULL.
with lost as (
    select
        1 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.q1 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.p1
            from "sqlanon_shown" as shown
            where cast(shown.p1 as varchar) = ''
        )
        and exists (
            select shown.p1
            from "sqlanon_shown" as shown
            where shown.p1 is null
        )
    union all
    select
        2 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.q2 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.p2
            from "sqlanon_shown" as shown
            where cast(shown.p2 as varchar) = ''
        )
        and exists (
            select shown.p2
            from "sqlanon_shown" as shown
            where shown.p2 is null
        )
    union all
    select
        3 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.q3 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.p3
            from "sqlanon_shown" as shown
            where cast(shown.p3 as varchar) = ''
        )
        and exists (
            select shown.p3
            from "sqlanon_shown" as shown
            where shown.p3 is null
        )
    union all
    select
        4 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.q4 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.p4
            from "sqlanon_shown" as shown
            where cast(shown.p4 as varchar) = ''
        )
        and exists (
            select shown.p4
            from "sqlanon_shown" as shown
            where shown.p4 is null
        )
    union all
    select
        5 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.q5 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.p5
            from "sqlanon_shown" as shown
            where cast(shown.p5 as varchar) = ''
        )
        and exists (
            select shown.p5
            from "sqlanon_shown" as shown
            where shown.p5 is null
        )
    union all
    select
        6 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.q6 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.p6
            from "sqlanon_shown" as shown
            where cast(shown.p6 as varchar) = ''
        )
        and exists (
            select shown.p6
            from "sqlanon_shown" as shown
            where shown.p6 is null
        )
    union all
    select
        7 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.s1 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.s1
            from "sqlanon_shown" as shown
            where cast(shown.s1 as varchar) = ''
        )
        and exists (
            select shown.s1
            from "sqlanon_shown" as shown
            where shown.s1 is null
        )
    union all
    select
        8 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.s2 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.s2
            from "sqlanon_shown" as shown
            where cast(shown.s2 as varchar) = ''
        )
        and exists (
            select shown.s2
            from "sqlanon_shown" as shown
            where shown.s2 is null
        )
    union all
    select
        9 as place,
        count(*) as texts
    from "sqlanon_records" as records
    where cast(records.x1 as varchar) = ''
    having
        count(*) > 0
        and not exists (
            select shown.x1
            from "sqlanon_shown" as shown
            where cast(shown.x1 as varchar) = ''
        )
        and exists (
            select shown.x1
            from "sqlanon_shown" as shown
            where shown.x1 is null
        )

)

select
    lost.place,
    lost.texts
from lost
