-- relation: interval_cells
-- grain: one row per class whose cell is a value of the source, an interval between two, or a star
-- inputs: classes, domain
-- outputs: class_id, low, high, whole
-- paper: none
-- The codes that the cell stands for. A star stands for NULL and other values, so NULL must be there.
with extents as (
    select
        min(domain.code) as first_code,
        max(domain.code) as last_code
    from "sqlanon_domain_q1" as domain
),

ends as (
    select
        classes.class_id,
        classes.p1 as cell,
        case
            when classes.p1 like '[%, %]' then substr(classes.p1, 2, strpos(classes.p1, ', ') - 2)
            when classes.p1 <> '*' then classes.p1
        end as low_label,
        case
            when classes.p1 like '[%, %]'
                then substr(classes.p1, strpos(classes.p1, ', ') + 2, length(classes.p1) - strpos(classes.p1, ', ') - 2)
            when classes.p1 <> '*' then classes.p1
        end as high_label
    from "sqlanon_shown_classes" as classes
),

found as (
    select
        ends.class_id,
        case
            when ends.cell is null or ends.cell = '*' then 0
            else lows.code
        end as low,
        case
            when ends.cell is null then 0
            when ends.cell = '*' then extents.last_code
            else highs.code
        end as high,
        case when ends.cell is null or ends.cell = '*' then extents.first_code else 0 end as missing,
        case when ends.cell = '*' or ends.cell like '[%, %]' then 1 else 0 end as several
    from ends
    cross join extents
    left join "sqlanon_domain_q1" as lows
        on ends.low_label = lows.level_0
    left join "sqlanon_domain_q1" as highs
        on ends.high_label = highs.level_0
)

select
    found.class_id,
    found.low,
    found.high,
    1 as whole
from found
where found.missing = 0 and found.low + found.several <= found.high
