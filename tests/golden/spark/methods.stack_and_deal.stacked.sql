with `digested` as (
  select
    `coded`.`q1`,
    `coded`.`s1`,
    `coded`.`k1`,
    (
      cast(0 as bigint) * 48271 + `coded`.`q1`
    ) % 2147483647 as `digest`
  from `sqlanon_coded` as `coded`
), `shuffled` as (
  select
    `digested`.`q1`,
    `digested`.`s1`,
    `digested`.`k1`,
    (
      `digested`.`digest` * `digested`.`digest` % 2147483647
    ) * (
      `digested`.`digest` * `digested`.`digest` % 2147483647
    ) % 2147483647 * `digested`.`digest` % 2147483647 as `shuffle`
  from `digested`
), `ordered` as (
  select
    `shuffled`.`q1`,
    `shuffled`.`s1`,
    `shuffled`.`k1`
  from `shuffled`
  inner join `sqlanon_stack` as `stack`
    on `shuffled`.`s1` = `stack`.`s1`
  order by
    `stack`.`block` nulls last,
    `shuffled`.`shuffle` nulls last,
    `shuffled`.`q1` nulls last,
    `shuffled`.`k1` nulls last
)
select
  `ordered`.`q1`,
  `ordered`.`s1`,
  `ordered`.`k1`,
  monotonically_increasing_id() as `place`
from `ordered`
