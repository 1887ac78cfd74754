with tuples as (
    select
        profile_lots.lot,
        min(profile_lots.x4) as x4,
        min(profile_lots.x6) as x6,
        min(profile_lots.x7) as x7,
        min(profile_lots.x8) as x8,
        min(profile_lots.x9) as x9,
        min(profile_lots.x10) as x10,
        min(profile_lots.x11) as x11,
        min(profile_lots.x12) as x12
    from "sqlanon_profile_lots" as profile_lots
    where left(profile_lots.lot, 6) < 'g'
    group by profile_lots.lot
),

cells as (
    select
        tuples.lot,
        4 as column_number,
        tuples.x4 as value
    from tuples
    union all
    select
        tuples.lot,
        6 as column_number,
        tuples.x6 as value
    from tuples
    union all
    select
        tuples.lot,
        7 as column_number,
        tuples.x7 as value
    from tuples
    union all
    select
        tuples.lot,
        8 as column_number,
        tuples.x8 as value
    from tuples
    union all
    select
        tuples.lot,
        9 as column_number,
        tuples.x9 as value
    from tuples
    union all
    select
        tuples.lot,
        10 as column_number,
        tuples.x10 as value
    from tuples
    union all
    select
        tuples.lot,
        11 as column_number,
        tuples.x11 as value
    from tuples
    union all
    select
        tuples.lot,
        12 as column_number,
        tuples.x12 as value
    from tuples

)

select
    cells.lot,
    cells.column_number,
    cells.value
from cells
