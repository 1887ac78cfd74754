-- relation: release
-- grain: one row per record
-- inputs: assigned, recoded, domain_*
-- outputs: *
-- paper: none
-- The declared columns and nothing else, in the order of the published values: where a row stands
-- tells nothing that its cells do not.
select
  `recoded`.`p1` as `age`,
  `recoded`.`p2` as `zip`,
  `recoded`.`p3` as `dose`,
  `recoded`.`p4` as `admitted`,
  `recoded`.`p5` as `sex`,
  `recoded`.`p6` as `town`,
  `recoded`.`p7` as `visits_min`,
  `recoded`.`p8` as `visits_max`,
  `domain_s1`.`value` as `disease`,
  `domain_s2`.`value` as `pain`,
  `domain_s3`.`value` as `salary`,
  `assigned`.`x1` as `ward`
from `sqlanon_assigned` as `assigned`
inner join `sqlanon_recoded` as `recoded`
  on `assigned`.`class_id` = `recoded`.`class_id`
inner join `sqlanon_domain_s1` as `domain_s1`
  on `assigned`.`s1` = `domain_s1`.`code`
inner join `sqlanon_domain_s2` as `domain_s2`
  on `assigned`.`s2` = `domain_s2`.`code`
inner join `sqlanon_domain_s3` as `domain_s3`
  on `assigned`.`s3` = `domain_s3`.`code`
order by
  `recoded`.`p1`,
  `recoded`.`p2`,
  `recoded`.`p3`,
  `recoded`.`p4`,
  `recoded`.`p5`,
  `recoded`.`p6`,
  `recoded`.`p7`,
  `recoded`.`p8`,
  `assigned`.`s1` nulls last,
  `assigned`.`s2` nulls last,
  `assigned`.`s3` nulls last,
  `assigned`.`x1` nulls last
