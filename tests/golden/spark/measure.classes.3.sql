-- relation: classes
-- grain: one row per equivalence class: per distinct published tuple of quasi-identifiers
-- inputs: measured
-- outputs: class_id, records, p*
-- paper: none
-- Classes as a reader of the release sees them, whatever the method formed; NULL equals NULL.
-- Numbered for each cell of the first column by itself: one window over all would be one task.
with `tuples` as (
  select
    `measured`.`p1`,
    `measured`.`p2`,
    `measured`.`p3`,
    count(*) as `records`
  from `sqlanon_measured` as `measured`
  group by
    `measured`.`p1`,
    `measured`.`p2`,
    `measured`.`p3`
), `firsts` as (
  select
    `tuples`.`p1`,
    count(*) as `classes`
  from `tuples`
  group by
    `tuples`.`p1`
), `begun` as (
  select
    `firsts`.`p1`,
    cast(sum(`firsts`.`classes`) over (order by `firsts`.`p1` rows between unbounded preceding and current row) - `firsts`.`classes` as bigint) as `before`
  from `firsts`
)
select
  `begun`.`before` + row_number() over (partition by `tuples`.`p1` order by `tuples`.`p1`, `tuples`.`p2`, `tuples`.`p3`) as `class_id`,
  `tuples`.`records`,
  `tuples`.`p1`,
  `tuples`.`p2`,
  `tuples`.`p3`
from `tuples`
inner join `begun`
  on `tuples`.`p1` is not distinct from `begun`.`p1`
