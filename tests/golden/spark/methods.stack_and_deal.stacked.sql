-- relation: stacked
-- grain: one row per record
-- inputs: coded, stack
-- outputs: q*, s*, x*|k*, place
-- paper: Gowda 2023, §3.3.1
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Spark sorts in ranges, one to a task,
-- which part a block that dominates the table as well, and numbers the rows of each: places grow
-- along the stack, with gaps of the ranges' making.
with `digested` as (
  select
    `coded`.`q1`,
    `coded`.`q2`,
    `coded`.`q3`,
    `coded`.`q4`,
    `coded`.`q5`,
    `coded`.`q6`,
    `coded`.`q7`,
    `coded`.`s1`,
    `coded`.`s2`,
    `coded`.`s3`,
    `coded`.`x1`,
    (
      (
        (
          (
            (
              (
                (
                  cast(7 as bigint) * 48271 + `coded`.`q1`
                ) % 2147483647 * 48271 + `coded`.`q2`
              ) % 2147483647 * 48271 + `coded`.`q3`
            ) % 2147483647 * 48271 + `coded`.`q4`
          ) % 2147483647 * 48271 + `coded`.`q5`
        ) % 2147483647 * 48271 + `coded`.`q6`
      ) % 2147483647 * 48271 + `coded`.`q7`
    ) % 2147483647 as `digest`
  from `sqlanon_coded` as `coded`
), `shuffled` as (
  select
    `digested`.`q1`,
    `digested`.`q2`,
    `digested`.`q3`,
    `digested`.`q4`,
    `digested`.`q5`,
    `digested`.`q6`,
    `digested`.`q7`,
    `digested`.`s1`,
    `digested`.`s2`,
    `digested`.`s3`,
    `digested`.`x1`,
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
    `shuffled`.`q3`,
    `shuffled`.`q4`,
    `shuffled`.`q5`,
    `shuffled`.`q6`,
    `shuffled`.`q7`,
    `shuffled`.`s1`,
    `shuffled`.`s2`,
    `shuffled`.`s3`,
    `shuffled`.`x1`
  from `shuffled`
  inner join `sqlanon_stack` as `stack`
    on `shuffled`.`s1` = `stack`.`s1`
    and `shuffled`.`s2` = `stack`.`s2`
    and `shuffled`.`s3` = `stack`.`s3`
  order by
    `stack`.`block` nulls last,
    `shuffled`.`shuffle` nulls last,
    `shuffled`.`q1` nulls last,
    `shuffled`.`q2` nulls last,
    `shuffled`.`q3` nulls last,
    `shuffled`.`q4` nulls last,
    `shuffled`.`q5` nulls last,
    `shuffled`.`q6` nulls last,
    `shuffled`.`q7` nulls last,
    `shuffled`.`x1` nulls last
)
select
  `ordered`.`q1`,
  `ordered`.`q2`,
  `ordered`.`q3`,
  `ordered`.`q4`,
  `ordered`.`q5`,
  `ordered`.`q6`,
  `ordered`.`q7`,
  `ordered`.`s1`,
  `ordered`.`s2`,
  `ordered`.`s3`,
  `ordered`.`x1`,
  monotonically_increasing_id() as `place`
from `ordered`
