-- relation: shown
-- grain: one row per combination of quasi-identifiers in the data
-- inputs: shown, members, settled
-- outputs: tuple_id, q*, records, failed
-- paper: none
-- What every tuple shows from here on; units that found no group are left out, for what they failed.
select
    shown.tuple_id,
    shown.q1,
    shown.q1_shown,
    shown.q2,
    coalesce(settled.q2, shown.q2_shown) as q2_shown,
    shown.q3,
    shown.q3_shown,
    shown.records,
    case
        when shown.failed is not null then shown.failed
        when settled.unit_id is null then 4
    end as failed
from "sqlanon_cells_shown_1" as shown
left join "sqlanon_cells_members" as members
    on shown.tuple_id = members.tuple_id
left join "sqlanon_cells_settled_1" as settled
    on members.unit_id = settled.unit_id
