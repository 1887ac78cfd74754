-- relation: candidate_classes
-- grain: one row per specialization and class
-- inputs: cells, offers
-- outputs: candidate, class_id, records, loss, lost_before, failing_before
-- paper: Fung, Wang & Yu 2005, §4, all specializations of a round
-- The classes that each specialization would make of those it parts, by ids that are unique among all of
-- them; what their records would lose, and what they lose and how many fail as it is.
with members as (
    select
        offers.candidate,
        cells.class_id * 417 + offers.part as class_id,
        cells.records,
        cells.records * (cells.loss - offers.gain) as loss,
        cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds)) as lost_before,
        cells.records * (1 - cells.holds) as failing_before
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.place = 0 and cells.q1 = offers.code
    union all
    select
        offers.candidate,
        cells.class_id * 417 + offers.part as class_id,
        cells.records,
        cells.records * (cells.loss - offers.gain) as loss,
        cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds)) as lost_before,
        cells.records * (1 - cells.holds) as failing_before
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.place = 1 and cells.q2 = offers.code
    union all
    select
        offers.candidate,
        cells.class_id * 417 + offers.part as class_id,
        cells.records,
        cells.records * (cells.loss - offers.gain) as loss,
        cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds)) as lost_before,
        cells.records * (1 - cells.holds) as failing_before
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.place = 2 and cells.q3 = offers.code
    union all
    select
        offers.candidate,
        cells.class_id * 417 + offers.part as class_id,
        cells.records,
        cells.records * (cells.loss - offers.gain) as loss,
        cells.records * (cells.loss * cells.holds + 1000000000 * (1 - cells.holds)) as lost_before,
        cells.records * (1 - cells.holds) as failing_before
    from "sqlanon_top_down_cells_0" as cells
    inner join "sqlanon_top_down_offers" as offers
        on offers.place = 3 and cells.q4 = offers.code

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
