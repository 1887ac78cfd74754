-- relation: cells
-- grain: one row per combination of quasi-identifiers and sensitive values in the data
-- inputs: coded
-- outputs: cell_id, q*, s*|b*, records
-- paper: none
-- Records equal in every declared column that decides are one weighted cell: a search works on
-- cells, and the records are read twice only. Spark sorts in ranges, one to a task, and numbers the
-- rows of each: the numbers follow the cells' order, with gaps; nothing but the order counts.
with `combinations` as (
  select
    `coded`.`q1`,
    `coded`.`q2`,
    `coded`.`q3`,
    `coded`.`s1`,
    count(*) as `records`
  from `sqlanon_coded` as `coded`
  group by
    `coded`.`q1`,
    `coded`.`q2`,
    `coded`.`q3`,
    `coded`.`s1`
  order by
    `coded`.`q1` nulls last,
    `coded`.`q2` nulls last,
    `coded`.`q3` nulls last,
    `coded`.`s1` nulls last
)
select
  monotonically_increasing_id() + 1 as `cell_id`,
  `combinations`.`q1`,
  `combinations`.`q2`,
  `combinations`.`q3`,
  `combinations`.`s1`,
  `combinations`.`records`
from `combinations`
