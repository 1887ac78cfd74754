with members as (
    select
        cells.class_id * 417 + offers.part as class_id,
        cells.s1 as code,
        cells.records
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.number = 0 and cells.q1 = offers.code
    union all
    select
        cells.class_id * 417 + offers.part as class_id,
        cells.s1 as code,
        cells.records
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.number = 1 and cells.q2 = offers.code
    union all
    select
        cells.class_id * 417 + offers.part as class_id,
        cells.s1 as code,
        cells.records
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.number = 2 and cells.q3 = offers.code
    union all
    select
        cells.class_id * 417 + offers.part as class_id,
        cells.s1 as code,
        cells.records
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.number = 3 and cells.q4 = offers.code

),

counted as (
    select
        members.class_id,
        members.code,
        cast(sum(members.records) as bigint) as records
    from members
    inner join "sqlanon_top_down_large_classes" as classes
        on members.class_id = classes.class_id
    group by members.class_id, members.code
)

select
    counted.class_id,
    counted.code,
    positions.position,
    counted.records
from counted
inner join "sqlanon_positions_s1" as positions
    on counted.code = positions.code
