with `together` as (
  select
    `done_parts`.`node` as `class_id`,
    `done_parts`.`root`,
    `done_parts`.`cell_id`,
    `done_parts`.`records`
  from `sqlanon_tree_done` as `done_parts`
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
