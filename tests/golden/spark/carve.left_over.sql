-- relation: left_over
-- grain: one row per region and cell with open records
-- inputs: open_cells
-- outputs: region, cell_id, class_id, records
-- paper: sqlanon, Carve §4
-- What no lattice node took is one more class of its region: at least k records, and t-close.
with `regions` as (
  select distinct
    `open_cells`.`region`
  from `sqlanon_carve_open_0` as `open_cells`
), `numbered` as (
  select
    `regions`.`region`,
    20 + row_number() over (order by `regions`.`region` nulls last) - 1 as `class_id`
  from `regions`
)
select
  `open_cells`.`region`,
  `open_cells`.`cell_id`,
  `numbered`.`class_id`,
  `open_cells`.`records`
from `sqlanon_carve_open_0` as `open_cells`
inner join `numbered`
  on `open_cells`.`region` = `numbered`.`region`
