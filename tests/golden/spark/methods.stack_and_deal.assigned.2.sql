-- relation: assigned
-- grain: one row per record
-- inputs: stacked, sizes
-- outputs: class_id, q*, s*, x*
-- paper: Gowda 2023, §3.3.2
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
-- Spark numbers the rows of every range from a multiple of 2^33 = 8589934592: a record's place is
-- how many records the ranges before its own hold, plus its number within it.
with `ranges` as (
  select
    `stacked`.`place` - `stacked`.`place` % 8589934592 as `first_place`,
    count(*) as `records`
  from `sqlanon_stacked` as `stacked`
  group by
    `stacked`.`place` - `stacked`.`place` % 8589934592
), `origins` as (
  select
    `ranges`.`first_place`,
    cast(sum(`ranges`.`records`) over (
      order by `ranges`.`first_place` nulls last
      rows between unbounded preceding and current row
    ) - `ranges`.`records` as bigint) as `origin`
  from `ranges`
)
select
  (
    `origins`.`origin` + `stacked`.`place` - `origins`.`first_place`
  ) % `sizes`.`classes` as `class_id`,
  `stacked`.`q1`,
  `stacked`.`q2`,
  `stacked`.`q3`,
  `stacked`.`s1`
from `sqlanon_stacked` as `stacked`
inner join `origins`
  on `stacked`.`place` - `stacked`.`place` % 8589934592 = `origins`.`first_place`
cross join `sqlanon_sizes` as `sizes`
