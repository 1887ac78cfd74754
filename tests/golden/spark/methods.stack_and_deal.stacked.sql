with `digested` as (
  select
    `coded`.`q1`,
    `coded`.`q2`,
    `coded`.`s0`,
    `coded`.`k1`,
    (
      (
        cast(0 as bigint) * 48271 + `coded`.`q1`
      ) % 2147483647 * 48271 + `coded`.`q2`
    ) % 2147483647 as `digest`
  from `sqlanon_coded` as `coded`
), `shuffled` as (
  select
    `digested`.`q1`,
    `digested`.`q2`,
    `digested`.`s0`,
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
    `shuffled`.`q2`,
    `shuffled`.`s0`,
    `shuffled`.`k1`
  from `shuffled`
  inner join `sqlanon_stack` as `stack`
    on `shuffled`.`s0` = `stack`.`s0`
  order by
    `stack`.`block` nulls last,
    `shuffled`.`shuffle` nulls last,
    `shuffled`.`q1` nulls last,
    `shuffled`.`q2` nulls last,
    `shuffled`.`k1` nulls last
)
select
  `ordered`.`q1`,
  `ordered`.`q2`,
  `ordered`.`s0`,
  `ordered`.`k1`,
  monotonically_increasing_id() as `place`
from `ordered`
