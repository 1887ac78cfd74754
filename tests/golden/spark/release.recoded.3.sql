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
      when `boxes`.`q1_low` = `boxes`.`q1_high`
      then `low_q1`.`level_0`
      when `boxes`.`q1_low` = 0
      then '*'
      else '[' || `low_q1`.`level_0` || ', ' || `high_q1`.`level_0` || ']'
    end as `p1`,
    `sets_q2`.`label` as `p2`,
    `sets_q3`.`label` as `p3`
  from `sqlanon_boxes` as `boxes`
  inner join `sqlanon_domain_q1` as `low_q1`
    on `boxes`.`q1_low` = `low_q1`.`code`
  inner join `sqlanon_domain_q1` as `high_q1`
    on `boxes`.`q1_high` = `high_q1`.`code`
  inner join `sqlanon_sets_q2` as `sets_q2`
    on `boxes`.`class_id` = `sets_q2`.`class_id`
  inner join `sqlanon_sets_q3` as `sets_q3`
    on `boxes`.`class_id` = `sets_q3`.`class_id`
), `tuples` as (
  select distinct
    `cells`.`p1`,
    `cells`.`p2`,
    `cells`.`p3`
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
  `firsts`.`before` + dense_rank() over (partition by `cells`.`p1` order by `cells`.`p1`, `cells`.`p2`, `cells`.`p3`) as `ordinal`
from `cells`
inner join `firsts`
  on `cells`.`p1` is not distinct from `firsts`.`p1`
