-- relation: placed
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: cells, groups_*
-- outputs: q*, s*|b*, records, people*, q*_part_*|q*_loss_*
-- paper: none
-- Every combination with its groups at all levels, and their losses.
select
    cells.q1,
    cells.q2,
    cells.q3,
    cells.s1,
    cells.records,
    cells.people,
    groups_q1.part_0 as q1_part_0,
    groups_q1.loss_0 as q1_loss_0,
    groups_q1.part_1 as q1_part_1,
    groups_q1.loss_1 as q1_loss_1,
    groups_q2.part_1 as q2_part_1,
    groups_q2.loss_1 as q2_loss_1,
    groups_q2.part_2 as q2_part_2,
    groups_q2.loss_2 as q2_loss_2,
    groups_q2.part_3 as q2_part_3,
    groups_q2.loss_3 as q2_loss_3,
    groups_q3.part_0 as q3_part_0,
    groups_q3.loss_0 as q3_loss_0,
    groups_q3.part_1 as q3_part_1,
    groups_q3.loss_1 as q3_loss_1,
    groups_q3.part_2 as q3_part_2,
    groups_q3.loss_2 as q3_loss_2,
    groups_q3.part_3 as q3_part_3,
    groups_q3.loss_3 as q3_loss_3
from "sqlanon_people_cells" as cells
inner join "sqlanon_lattice_groups_q1" as groups_q1
    on cells.q1 = groups_q1.code
inner join "sqlanon_lattice_groups_q2" as groups_q2
    on cells.q2 = groups_q2.code
inner join "sqlanon_lattice_groups_q3" as groups_q3
    on cells.q3 = groups_q3.code
