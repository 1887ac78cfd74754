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
  `stacked`.`q2`
from `sqlanon_stacked` as `stacked`
inner join `origins`
  on `stacked`.`place` - `stacked`.`place` % 8589934592 = `origins`.`first_place`
cross join `sqlanon_sizes` as `sizes`
