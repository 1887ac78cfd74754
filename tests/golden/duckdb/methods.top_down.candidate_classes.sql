with members as (
    select
        offers.candidate,
        cells.class_id * 900 + offers.part as class_id,
        cells.records,
        cells.records * (cells.loss - offers.gain) as loss,
        cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds)) as lost_before,
        cells.records * (1 - cells.holds) as failing_before
    from "sqlanon_top_down_cells_2" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.number = 0 and cells.q1 = offers.code
    union all
    select
        offers.candidate,
        cells.class_id * 900 + offers.part as class_id,
        cells.records,
        cells.records * (cells.loss - offers.gain) as loss,
        cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds)) as lost_before,
        cells.records * (1 - cells.holds) as failing_before
    from "sqlanon_top_down_cells_2" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.number = 1 and cells.q2 = offers.code

)

select
    members.candidate,
    members.class_id,
    cast(sum(members.records) as bigint) as records,
    cast(sum(members.loss) as bigint) as loss,
    cast(sum(members.lost_before) as bigint) as lost_before,
    cast(sum(members.failing_before) as bigint) as failing_before
from members
group by members.candidate, members.class_id
