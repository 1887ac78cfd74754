with valued as (
    select
        members.block,
        members.cell_id,
        members.apart,
        members.inside,
        members.candidates,
        cells.s1 as code
    from "sqlanon_micro_members_0_0" as members
    inner join "sqlanon_cells" as cells
        on members.cell_id = cells.cell_id
),

outermost as (
    select
        valued.block,
        valued.code,
        valued.cell_id,
        row_number() over (partition by valued.block, valued.code order by valued.apart desc, valued.cell_id desc) as rank
    from valued
    where valued.inside > 0
),

trades as (
    select
        outermost.block,
        outermost.cell_id as out_cell,
        taken.code,
        given.position,
        case when given.position < taken.position then taken.lower - given.lower else given.higher - taken.higher end as change
    from outermost
    inner join "sqlanon_micro_changes" as given
        on outermost.block = given.class_id and outermost.code = given.code
    inner join "sqlanon_micro_changes" as taken
        on outermost.block = taken.class_id and outermost.code <> taken.code
    where outermost.rank = 1
),

ranked as (
    select
        trades.block,
        trades.out_cell,
        trades.code,
        row_number() over (partition by trades.block, trades.code order by trades.change, trades.position) as rank
    from trades
    where trades.change < 0
),

nearest as (
    select
        ranked.block,
        ranked.out_cell,
        valued.cell_id as in_cell,
        valued.apart as in_apart,
        row_number() over (partition by ranked.block order by valued.apart, valued.cell_id) as rank
    from ranked
    inner join valued
        on ranked.block = valued.block and ranked.code = valued.code
    where ranked.rank = 1 and valued.candidates > 0
)

select
    nearest.block,
    nearest.out_cell,
    nearest.in_cell,
    nearest.in_apart
from nearest
where nearest.rank = 1
