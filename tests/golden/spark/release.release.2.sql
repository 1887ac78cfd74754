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
  `recoded`.`p3` as `admitted_min`,
  `recoded`.`p4` as `admitted_max`,
  `domain_s1`.`value` as `disease`
from `sqlanon_assigned` as `assigned`
inner join `sqlanon_recoded` as `recoded`
  on `assigned`.`class_id` = `recoded`.`class_id`
inner join `sqlanon_domain_s1` as `domain_s1`
  on `assigned`.`s1` = `domain_s1`.`code`
order by
  `recoded`.`p1`,
  `recoded`.`p2`,
  `recoded`.`p3`,
  `recoded`.`p4`,
  `assigned`.`s1` nulls last
