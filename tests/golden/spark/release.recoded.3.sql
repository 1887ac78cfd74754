-- relation: recoded
-- grain: one row per class as formed
-- inputs: boxes, domain_*, sets_*
-- outputs: class_id, p*
-- paper: none
-- What is published in place of each quasi-identifier, the same for every record of the class.
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
