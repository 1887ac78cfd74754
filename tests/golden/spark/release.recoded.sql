-- relation: recoded
-- grain: one row per class as formed
-- inputs: boxes, domain_*, sets_*
-- outputs: class_id, p*, ordinal
-- paper: none
-- What is published in place of each quasi-identifier, the same for every record of the class. The
-- ordinal orders the classes by what they publish and by nothing else, so that the release can be
-- written in an order that tells no more than its cells do.
with `cells` as (
  select
    `boxes`.`class_id`,
    case
      when `low_q1`.`node_0` = `high_q1`.`node_0`
      then `low_q1`.`level_0`
      when `low_q1`.`node_1` = `high_q1`.`node_1`
      then `low_q1`.`level_1`
      when `low_q1`.`node_2` = `high_q1`.`node_2`
      then `low_q1`.`level_2`
      when `low_q1`.`node_3` = `high_q1`.`node_3`
      then `low_q1`.`level_3`
      else '*'
    end as `p1`,
    case
      when `low_q2`.`node_0` = `high_q2`.`node_0`
      then `low_q2`.`level_0`
      when `low_q2`.`node_1` = `high_q2`.`node_1`
      then `low_q2`.`level_1`
      when `low_q2`.`node_2` = `high_q2`.`node_2`
      then `low_q2`.`level_2`
      else '*'
    end as `p2`,
    case
      when `low_q3`.`node_0` = `high_q3`.`node_0`
      then `low_q3`.`level_0`
      when `low_q3`.`node_1` = `high_q3`.`node_1`
      then `low_q3`.`level_1`
      when `low_q3`.`node_2` = `high_q3`.`node_2`
      then `low_q3`.`level_2`
      else '*'
    end as `p3`,
    case
      when `low_q4`.`node_0` = `high_q4`.`node_0`
      then `low_q4`.`level_0`
      when `low_q4`.`node_1` = `high_q4`.`node_1`
      then `low_q4`.`level_1`
      when `low_q4`.`node_2` = `high_q4`.`node_2`
      then `low_q4`.`level_2`
      else '*'
    end as `p4`,
    case
      when `low_q5`.`node_0` = `high_q5`.`node_0`
      then `low_q5`.`level_0`
      else '*'
    end as `p5`,
    `sets_q6`.`label` as `p6`,
    case when `boxes`.`q7_low` > 0 then `low_q7`.`value` end as `p7`,
    case when `boxes`.`q7_low` > 0 then `high_q7`.`value` end as `p8`
  from `sqlanon_boxes` as `boxes`
  inner join `sqlanon_domain_q1` as `low_q1`
    on `boxes`.`q1_low` = `low_q1`.`code`
  inner join `sqlanon_domain_q1` as `high_q1`
    on `boxes`.`q1_high` = `high_q1`.`code`
  inner join `sqlanon_domain_q2` as `low_q2`
    on `boxes`.`q2_low` = `low_q2`.`code`
  inner join `sqlanon_domain_q2` as `high_q2`
    on `boxes`.`q2_high` = `high_q2`.`code`
  inner join `sqlanon_domain_q3` as `low_q3`
    on `boxes`.`q3_low` = `low_q3`.`code`
  inner join `sqlanon_domain_q3` as `high_q3`
    on `boxes`.`q3_high` = `high_q3`.`code`
  inner join `sqlanon_domain_q4` as `low_q4`
    on `boxes`.`q4_low` = `low_q4`.`code`
  inner join `sqlanon_domain_q4` as `high_q4`
    on `boxes`.`q4_high` = `high_q4`.`code`
  inner join `sqlanon_domain_q5` as `low_q5`
    on `boxes`.`q5_low` = `low_q5`.`code`
  inner join `sqlanon_domain_q5` as `high_q5`
    on `boxes`.`q5_high` = `high_q5`.`code`
  inner join `sqlanon_sets_q6` as `sets_q6`
    on `boxes`.`class_id` = `sets_q6`.`class_id`
  inner join `sqlanon_domain_q7` as `low_q7`
    on `boxes`.`q7_low` = `low_q7`.`code`
  inner join `sqlanon_domain_q7` as `high_q7`
    on `boxes`.`q7_high` = `high_q7`.`code`
), `tuples` as (
  select distinct
    `cells`.`p1`,
    `cells`.`p2`,
    `cells`.`p3`,
    `cells`.`p4`,
    `cells`.`p5`,
    `cells`.`p6`,
    `cells`.`p7`,
    `cells`.`p8`
  from `cells`
), `firsts` /* How many tuples stand before those of each first cell: one window over all would be one task. */ as (
  select
    `tuples`.`p1`,
    cast(sum(count(*)) over (order by `tuples`.`p1` rows between unbounded preceding and current row) - count(*) as bigint) as `before`
  from `tuples`
  group by
    `tuples`.`p1`
)
select
  `cells`.`class_id`,
  `cells`.`p1`,
  `cells`.`p2`,
  `cells`.`p3`,
  `cells`.`p4`,
  `cells`.`p5`,
  `cells`.`p6`,
  `cells`.`p7`,
  `cells`.`p8`,
  `firsts`.`before` + dense_rank() over (
    partition by `cells`.`p1`
    order by `cells`.`p1`, `cells`.`p2`, `cells`.`p3`, `cells`.`p4`, `cells`.`p5`, `cells`.`p6`, `cells`.`p7`, `cells`.`p8`
  ) as `ordinal`
from `cells`
inner join `firsts`
  on `cells`.`p1` is not distinct from `firsts`.`p1`
