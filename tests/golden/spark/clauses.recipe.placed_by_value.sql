with `tuples` as (
  select
    `records`.`q1`,
    `records`.`q2`,
    `records`.`q3`,
    count(*) as `records`
  from `sqlanon_records` as `records`
  group by
    `records`.`q1`,
    `records`.`q2`,
    `records`.`q3`
), `inside` as (
  select
    `tuples`.`q1`,
    `tuples`.`q2`,
    `tuples`.`q3`,
    min(`boxes`.`class_id`) as `class_id`
  from `tuples`
  inner join `sqlanon_holding_q1` as `holding_q1`
    on `tuples`.`q1` is not distinct from `holding_q1`.`value`
  inner join `sqlanon_recipe_classes` as `boxes`
    on `boxes`.`p1` is not distinct from `holding_q1`.`cell`
  inner join `sqlanon_holding` as `holding_q2`
    on `holding_q2`.`q` = 2
    and cast(`tuples`.`q2` as string) is not distinct from `holding_q2`.`label`
    and `boxes`.`p2` is not distinct from `holding_q2`.`cell`
  inner join `sqlanon_holding` as `holding_q3`
    on `holding_q3`.`q` = 3
    and `tuples`.`q3` is not distinct from `holding_q3`.`label`
    and `boxes`.`p3` is not distinct from `holding_q3`.`cell`
  group by
    `tuples`.`q1`,
    `tuples`.`q2`,
    `tuples`.`q3`
)
select
  coalesce(`inside`.`class_id`, 0) as `class_id`,
  `tuples`.`q1`,
  `tuples`.`q2`,
  `tuples`.`q3`,
  `tuples`.`records`
from `tuples`
left join `inside`
  on `tuples`.`q1` is not distinct from `inside`.`q1`
  and `tuples`.`q2` is not distinct from `inside`.`q2`
  and `tuples`.`q3` is not distinct from `inside`.`q3`
