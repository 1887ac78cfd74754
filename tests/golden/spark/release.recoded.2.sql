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
  case
    when `low_q2`.`node_0` = `high_q2`.`node_0`
    then `low_q2`.`level_0`
    when `low_q2`.`node_1` = `high_q2`.`node_1`
    then `low_q2`.`level_1`
    else '*'
  end as `p2`,
  case when `boxes`.`q3_low` > 0 then `low_q3`.`value` end as `p3`,
  case when `boxes`.`q3_low` > 0 then `high_q3`.`value` end as `p4`
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
