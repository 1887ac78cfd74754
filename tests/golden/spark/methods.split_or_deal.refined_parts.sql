with `kept` as (
  select
    2 * `parts`.`class_id` as `class_id`,
    `parts`.`cell_id`,
    `parts`.`records`
  from `sqlanon_search_tried_2` as `parts`
  left join `sqlanon_refine_pools` as `class_pools`
    on `parts`.`class_id` = `class_pools`.`class_id`
  left join `sqlanon_refine_better` as `better_pools`
    on `class_pools`.`pool` = `better_pools`.`pool`
  where
    `better_pools`.`pool` is null
  union all
  select
    2 * `new_parts`.`class_id` + 1 as `class_id`,
    `new_parts`.`cell_id`,
    `new_parts`.`records`
  from `sqlanon_refine_cut` as `new_parts`
  inner join `sqlanon_refine_better` as `better_pools`
    on `new_parts`.`root` = `better_pools`.`pool`
), `classes` as (
  select distinct
    `kept`.`class_id`
  from `kept`
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
  cast(0 as bigint) as `root`,
  `kept`.`cell_id`,
  `kept`.`records`
from `kept`
inner join `numbered`
  on `kept`.`class_id` = `numbered`.`class_id`
