-- relation: parts
-- grain: one row per cell and class that holds records of it
-- inputs: piece_*
-- outputs: class_id, root, cell_id, records
-- paper: none
-- The classes of every level together, or those of one start among several, numbered from 0 without
-- gaps.
with `together` as (
  select
    `piece_1`.`class_id`,
    `piece_1`.`root`,
    `piece_1`.`cell_id`,
    `piece_1`.`records`
  from `sqlanon_tree_closed_1` as `piece_1`
  union all
  select
    `piece_2`.`class_id`,
    `piece_2`.`root`,
    `piece_2`.`cell_id`,
    `piece_2`.`records`
  from `sqlanon_tree_closed_2` as `piece_2`
  union all
  select
    `piece_3`.`class_id`,
    `piece_3`.`root`,
    `piece_3`.`cell_id`,
    `piece_3`.`records`
  from `sqlanon_tree_closed_3` as `piece_3`
  union all
  select
    `piece_4`.`class_id`,
    `piece_4`.`root`,
    `piece_4`.`cell_id`,
    `piece_4`.`records`
  from `sqlanon_tree_closed_4` as `piece_4`
  union all
  select
    `piece_5`.`class_id`,
    `piece_5`.`root`,
    `piece_5`.`cell_id`,
    `piece_5`.`records`
  from `sqlanon_tree_closed_last` as `piece_5`
), `classes` as (
  select distinct
    `together`.`class_id`
  from `together`
), `shares` /* A thousand neighbouring numbers at a time: one window over all would be one task. */ as (
  select
    `classes`.`class_id` - `classes`.`class_id` % 1024 as `share`,
    cast(sum(count(*)) over (
      order by `classes`.`class_id` - `classes`.`class_id` % 1024 nulls last
      rows between unbounded preceding and current row
    ) - count(*) as bigint) as `before`
  from `classes`
  group by
    `classes`.`class_id` - `classes`.`class_id` % 1024
), `numbered` as (
  select
    `classes`.`class_id`,
    `shares`.`before` + row_number() over (partition by `shares`.`share` order by `classes`.`class_id` nulls last) - 1 as `number`
  from `classes`
  inner join `shares`
    on `classes`.`class_id` - `classes`.`class_id` % 1024 = `shares`.`share`
)
select
  `numbered`.`number` as `class_id`,
  `together`.`root`,
  `together`.`cell_id`,
  `together`.`records`
from `together`
inner join `numbered`
  on `together`.`class_id` = `numbered`.`class_id`
