with left_lots as (
    select
        lots.block,
        lots.cell_id,
        lots.records,
        members.apart as before,
        places.x1,
        places.x2
    from "sqlanon_micro_lots_0" as lots
    inner join "sqlanon_places" as places
        on lots.cell_id = places.cell_id
    inner join "sqlanon_micro_members_0_0" as members
        on lots.block = members.block and lots.cell_id = members.cell_id
    where lots.number is null
),

far as (
    select
        left_lots.block,
        left_lots.x1,
        left_lots.x2,
        row_number() over (
            partition by left_lots.block
            order by
                left_lots.before desc,
                left_lots.cell_id desc
        ) as rank
    from left_lots
),

located as (
    select
        left_lots.block,
        left_lots.cell_id,
        left_lots.records,
        (left_lots.x1 - far.x1) * (left_lots.x1 - far.x1)
        + (left_lots.x2 - far.x2) * (left_lots.x2 - far.x2)
            as apart
    from left_lots
    inner join far
        on left_lots.block = far.block and far.rank = 1
),

near as (
    select
        located.block,
        located.cell_id,
        located.records,
        located.apart,
        sum(located.records) over (
            partition by located.block order by located.apart, located.cell_id rows unbounded preceding
        ) - located.records as earlier,
        sum(located.records) over (partition by located.block) as block_records
    from located
),

taken as (
    select
        near.block,
        near.cell_id,
        near.records,
        near.apart,
        cast(
            greatest(
                0,
                least(
                    near.records,
                    case when near.block_records < 80 then near.block_records else 40 end - near.earlier
                )
            ) as bigint
        ) as inside
    from near
)

select
    taken.block,
    taken.cell_id,
    taken.apart,
    taken.inside,
    cast(taken.records - taken.inside as bigint) as outside,
    cast(taken.records - taken.inside as bigint) as candidates
from taken
