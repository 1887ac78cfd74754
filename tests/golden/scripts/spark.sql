-- sqlanon: makes public
--   q1 = age
--   s1 = disease
-- Run it with: spark-sql -f FILE

set spark.sql.ansi.enabled = true;
set spark.sql.session.timeZone = UTC;
set spark.sql.caseSensitive = false;
set spark.sql.storeAssignmentPolicy = ANSI;
set spark.sql.timestampType = TIMESTAMP_LTZ;
set spark.sql.legacy.timeParserPolicy = CORRECTED;
set spark.sql.legacy.ctePrecedencePolicy = CORRECTED;
set spark.sql.decimalOperations.allowPrecisionLoss = true;
set spark.sql.parser.escapedStringLiterals = false;
set spark.sql.ansi.doubleQuotedIdentifiers = false;
set spark.sql.variable.substitute = false;
set spark.sql.functionResolution.sessionOrder = second;

-- Work tables stand in a schema of their own.
drop schema if exists `sqlanon_work_public` cascade;
create schema `sqlanon_work_public`;

-- 1. reading the source: one row per record of the source
drop table if exists `sqlanon_work_public`.`sqlanon_records`;
create table `sqlanon_work_public`.`sqlanon_records` as
select
  `source`.`age` as `q1`,
  cast(`source`.`disease` as string) as `s1`
from `patients` as `source`;

-- 2. counting the records: one row
drop table if exists `sqlanon_work_public`.`sqlanon_size`;
create table `sqlanon_work_public`.`sqlanon_size` as
select
  count(*) as `records`
from `sqlanon_work_public`.`sqlanon_records`;

-- 3. the source has records
select raise_error('source: it has no records: nothing can be released') as refused
from (
select
  `size`.`records`
from `sqlanon_work_public`.`sqlanon_size` as `size`
where
  `size`.`records` = 0
) as found;

-- 4. there are enough records
select raise_error('privacy.k: k-anonymity cannot be reached: k is 10, the source has only ' || coalesce(cast(found.`records` as string), '') || ' records; lower k') as refused
from (
select
  `size`.`records`
from `sqlanon_work_public`.`sqlanon_size` as `size`
where
  `size`.`records` < 10
) as found;

-- 5. distinct values of age: one row per distinct value of the attribute, NULL among them
drop table if exists `sqlanon_work_public`.`sqlanon_values_q1`;
create table `sqlanon_work_public`.`sqlanon_values_q1` as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is, though Spark's grouping loses the
-- sign. Elsewhere they are the same value, without a sign.
select
  `records`.`q1` as `value`,
  min(
    case
      when not typeof(`records`.`q1`) in ('double', 'float')
      then cast(`records`.`q1` as string)
      when cast(`records`.`q1` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`q1` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`q1` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`q1` as string)) = 0
      then cast(`records`.`q1` as string)
      when abs(try_cast(cast(`records`.`q1` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`q1` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`q1` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`q1` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`q1` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`q1` as string), 'E', 2), '-', '')
    end
  ) as `label`,
  count(*) as `records`
from `sqlanon_work_public`.`sqlanon_records` as `records`
group by
  `records`.`q1`;

-- 6. codes of age: one row per distinct value in the data; code 0 is NULL
drop table if exists `sqlanon_work_public`.`sqlanon_domain_q1`;
create table `sqlanon_work_public`.`sqlanon_domain_q1` as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by `values_in_use`.`value` nulls last) as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_work_public`.`sqlanon_values_q1` as `values_in_use`
where
  not `values_in_use`.`value` is null
union all
select
  0 as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_work_public`.`sqlanon_values_q1` as `values_in_use`
where
  `values_in_use`.`value` is null;

-- 7. distinct values of disease: one row per distinct value of the attribute, NULL among them
drop table if exists `sqlanon_work_public`.`sqlanon_values_s1`;
create table `sqlanon_work_public`.`sqlanon_values_s1` as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is, though Spark's grouping loses the
-- sign. Elsewhere they are the same value, without a sign.
select
  `records`.`s1` as `value`,
  min(
    case
      when not typeof(`records`.`s1`) in ('double', 'float')
      then cast(`records`.`s1` as string)
      when cast(`records`.`s1` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`s1` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`s1` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`s1` as string)) = 0
      then cast(`records`.`s1` as string)
      when abs(try_cast(cast(`records`.`s1` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`s1` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`s1` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`s1` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`s1` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`s1` as string), 'E', 2), '-', '')
    end
  ) as `label`,
  count(*) as `records`
from `sqlanon_work_public`.`sqlanon_records` as `records`
group by
  `records`.`s1`;

-- 8. codes of disease: one row per distinct value in the data; code 0 is NULL
drop table if exists `sqlanon_work_public`.`sqlanon_domain_s1`;
create table `sqlanon_work_public`.`sqlanon_domain_s1` as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by `values_in_use`.`value` nulls last) as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_work_public`.`sqlanon_values_s1` as `values_in_use`
where
  not `values_in_use`.`value` is null
union all
select
  0 as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_work_public`.`sqlanon_values_s1` as `values_in_use`
where
  `values_in_use`.`value` is null;

-- 9. order of disease: one row per value of a sensitive attribute, and per value its declared order adds
drop table if exists `sqlanon_work_public`.`sqlanon_positions_s1`;
create table `sqlanon_work_public`.`sqlanon_positions_s1` as
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
  `domain`.`code`,
  `domain`.`value`,
  `domain`.`records`,
  row_number() over (order by `domain`.`code` nulls last) as `position`
from `sqlanon_work_public`.`sqlanon_domain_s1` as `domain`;

-- 10. coding the records: one row per record
drop table if exists `sqlanon_work_public`.`sqlanon_coded`;
create table `sqlanon_work_public`.`sqlanon_coded` as
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select
  coalesce(`domain_q1`.`code`, 0) as `q1`,
  coalesce(`domain_s1`.`code`, 0) as `s1`
from `sqlanon_work_public`.`sqlanon_records` as `records`
left join `sqlanon_work_public`.`sqlanon_domain_q1` as `domain_q1`
  on `records`.`q1` = `domain_q1`.`value`
left join `sqlanon_work_public`.`sqlanon_domain_s1` as `domain_s1`
  on `records`.`s1` = `domain_s1`.`value`;

-- 11. stacking the sensitive values: one row per combination of sensitive values in the data
drop table if exists `sqlanon_work_public`.`sqlanon_stack`;
create table `sqlanon_work_public`.`sqlanon_stack` as
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with `combinations` as (
  select
    `records`.`s1` as `value_s1`,
    count(*) as `frequency`
  from `sqlanon_work_public`.`sqlanon_records` as `records`
  group by
    `records`.`s1`
), `cells` as (
  select
    `positions_s1`.`code` as `s1`,
    `positions_s1`.`position` - 1 as `place_s1`,
    `combinations`.`frequency`
  from `combinations`
  inner join `sqlanon_work_public`.`sqlanon_positions_s1` as `positions_s1`
    on `combinations`.`value_s1` is not distinct from `positions_s1`.`value`
    and /* A value that no record has, which a declared order adds, is NULL here too. */ `positions_s1`.`records` > 0
), `blocks` as (
  select
    `cells`.`s1`,
    `cells`.`frequency`,
    row_number() over (order by `cells`.`frequency` desc, `cells`.`s1` desc) - 1 as `block`
  from `cells`
)
select
  `blocks`.`s1`,
  `blocks`.`frequency`,
  `blocks`.`block`,
  cast(sum(`blocks`.`frequency`) over (
    order by `blocks`.`block` nulls last
    rows between unbounded preceding and current row
  ) - `blocks`.`frequency` as bigint) as `start`
from `blocks`;

-- 12. counting the classes: one row
drop table if exists `sqlanon_work_public`.`sqlanon_sizes`;
create table `sqlanon_work_public`.`sqlanon_sizes` as
with `counted` as (
  select
    cast(sum(`stack`.`frequency`) as bigint) as `records`
  from `sqlanon_work_public`.`sqlanon_stack` as `stack`
)
select
  `counted`.`records`,
  cast((
    `counted`.`records` - `counted`.`records` % 10
  ) / 10 as bigint) as `classes`
from `counted`;

-- 13. stacking the records: one row per record
drop table if exists `sqlanon_work_public`.`sqlanon_stacked`;
create table `sqlanon_work_public`.`sqlanon_stacked` as
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Spark sorts in ranges, one to a task,
-- which part a block that dominates the table as well, and numbers the rows of each: places grow
-- along the stack, with gaps of the ranges' making.
with `digested` as (
  select
    `coded`.`q1`,
    `coded`.`s1`,
    (
      cast(0 as bigint) * 48271 + `coded`.`q1`
    ) % 2147483647 as `digest`
  from `sqlanon_work_public`.`sqlanon_coded` as `coded`
), `shuffled` as (
  select
    `digested`.`q1`,
    `digested`.`s1`,
    (
      `digested`.`digest` * `digested`.`digest` % 2147483647
    ) * (
      `digested`.`digest` * `digested`.`digest` % 2147483647
    ) % 2147483647 * `digested`.`digest` % 2147483647 as `shuffle`
  from `digested`
), `ordered` as (
  select
    `shuffled`.`q1`,
    `shuffled`.`s1`
  from `shuffled`
  inner join `sqlanon_work_public`.`sqlanon_stack` as `stack`
    on `shuffled`.`s1` = `stack`.`s1`
  order by
    `stack`.`block` nulls last,
    `shuffled`.`shuffle` nulls last,
    `shuffled`.`q1` nulls last
)
select
  `ordered`.`q1`,
  `ordered`.`s1`,
  monotonically_increasing_id() as `place`
from `ordered`;

-- 14. dealing the records into classes: one row per record
drop table if exists `sqlanon_work_public`.`sqlanon_assigned`;
create table `sqlanon_work_public`.`sqlanon_assigned` as
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
-- Spark numbers the rows of every range from a multiple of 2^33 = 8589934592: a record's place is
-- how many records the ranges before its own hold, plus its number within it.
with `ranges` as (
  select
    `stacked`.`place` - `stacked`.`place` % 8589934592 as `first_place`,
    count(*) as `records`
  from `sqlanon_work_public`.`sqlanon_stacked` as `stacked`
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
  `stacked`.`s1`
from `sqlanon_work_public`.`sqlanon_stacked` as `stacked`
inner join `origins`
  on `stacked`.`place` - `stacked`.`place` % 8589934592 = `origins`.`first_place`
cross join `sqlanon_work_public`.`sqlanon_sizes` as `sizes`;

-- 15. the extent of every class: one row per class as formed
drop table if exists `sqlanon_work_public`.`sqlanon_boxes`;
create table `sqlanon_work_public`.`sqlanon_boxes` as
-- The smallest and the largest code of every quasi-identifier in the class.
select
  `assigned`.`class_id`,
  count(*) as `records`,
  min(`assigned`.`q1`) as `q1_low`,
  max(`assigned`.`q1`) as `q1_high`
from `sqlanon_work_public`.`sqlanon_assigned` as `assigned`
group by
  `assigned`.`class_id`;

-- 16. what every class publishes: one row per class as formed
drop table if exists `sqlanon_work_public`.`sqlanon_recoded`;
create table `sqlanon_work_public`.`sqlanon_recoded` as
-- The cells that are published in place of each quasi-identifier, the same for every record of the
-- class. The ordinal orders the classes by what they publish and by nothing else. So the release
-- can be written in an order that tells no more than its cells do.
with `cells` as (
  select
    `boxes`.`class_id`,
    case
      when `boxes`.`q1_low` = `boxes`.`q1_high`
      then `low_q1`.`level_0`
      when `boxes`.`q1_low` = 0
      then '*'
      else '[' || `low_q1`.`level_0` || ', ' || `high_q1`.`level_0` || ']'
    end as `p1`
  from `sqlanon_work_public`.`sqlanon_boxes` as `boxes`
  inner join `sqlanon_work_public`.`sqlanon_domain_q1` as `low_q1`
    on `boxes`.`q1_low` = `low_q1`.`code`
  inner join `sqlanon_work_public`.`sqlanon_domain_q1` as `high_q1`
    on `boxes`.`q1_high` = `high_q1`.`code`
), `tuples` as (
  select distinct
    `cells`.`p1`
  from `cells`
), `firsts` /* How many tuples stand before those of each first cell: one window over all would be one task. */ as (
  select
    `tuples`.`p1`,
    cast(sum(count(*)) over (order by `tuples`.`p1` rows between unbounded preceding and current row) - count(*) as bigint) as `before`
  from `tuples`
  group by
    `tuples`.`p1`
)
select
  `cells`.`class_id`,
  `cells`.`p1`,
  `firsts`.`before` + dense_rank() over (partition by `cells`.`p1` order by `cells`.`p1`) as `ordinal`
from `cells`
inner join `firsts`
  on `cells`.`p1` is not distinct from `firsts`.`p1`;

-- 17. ordering the records by what they publish: one row per record
drop table if exists `sqlanon_work_public`.`sqlanon_ordered`;
create table `sqlanon_work_public`.`sqlanon_ordered` as
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select
  `recoded`.`ordinal`,
  `assigned`.`s1`
from `sqlanon_work_public`.`sqlanon_assigned` as `assigned`
inner join `sqlanon_work_public`.`sqlanon_recoded` as `recoded`
  on `assigned`.`class_id` = `recoded`.`class_id`
order by
  `recoded`.`ordinal` nulls last,
  `assigned`.`s1` nulls last;

-- 18. writing the release: one row per record
drop table if exists `sqlanon_work_public`.`sqlanon_public`;
create table `sqlanon_work_public`.`sqlanon_public` as
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with `representatives` as (
  select
    min(`recoded`.`class_id`) as `class_id`
  from `sqlanon_work_public`.`sqlanon_recoded` as `recoded`
  group by
    `recoded`.`ordinal`
), `tuples` as (
  select
    `recoded`.`ordinal`,
    `recoded`.`p1`
  from `sqlanon_work_public`.`sqlanon_recoded` as `recoded`
  inner join `representatives`
    on `recoded`.`class_id` = `representatives`.`class_id`
)
select
  `tuples`.`p1` as `age`,
  `domain_s1`.`value` as `disease`
from `sqlanon_work_public`.`sqlanon_ordered` as `ordered`
inner join `tuples`
  on `ordered`.`ordinal` = `tuples`.`ordinal`
inner join `sqlanon_work_public`.`sqlanon_domain_s1` as `domain_s1`
  on `ordered`.`s1` = `domain_s1`.`code`
order by
  `ordered`.`ordinal` nulls last,
  `ordered`.`s1` nulls last;

-- 19. the table as it is read: one row per record of the source
drop table if exists `sqlanon_work_public`.`sqlanon_measured`;
create table `sqlanon_work_public`.`sqlanon_measured` as
select
  cast(`source`.`age` as string) as `p1`,
  cast(`source`.`disease` as string) as `s1`
from `sqlanon_work_public`.`sqlanon_public` as `source`;

-- 20. equivalence classes: one row per equivalence class: per distinct published tuple of quasi-identifiers
drop table if exists `sqlanon_work_public`.`sqlanon_classes`;
create table `sqlanon_work_public`.`sqlanon_classes` as
-- Classes as a reader of the release sees them, which may differ from those that the method formed.
-- NULL equals NULL. Numbered for each cell of the first column by itself: one window over all would
-- be one task.
with `tuples` as (
  select
    `measured`.`p1`,
    count(*) as `records`
  from `sqlanon_work_public`.`sqlanon_measured` as `measured`
  group by
    `measured`.`p1`
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
  `begun`.`before` + row_number() over (partition by `tuples`.`p1` order by `tuples`.`p1`) as `class_id`,
  `tuples`.`records`,
  `tuples`.`p1`
from `tuples`
inner join `begun`
  on `tuples`.`p1` is not distinct from `begun`.`p1`;

-- 21. known values of disease
select raise_error('sensitive.disease: ' || coalesce(cast(found.`unknown` as string), '') || ' values, in ' || coalesce(cast(found.`records` as string), '') || ' records, are not in the reference table: closeness to it has no meaning') as refused
from (
with `used` as (
  select
    `measured`.`s1` as `value`,
    count(*) as `records`
  from `sqlanon_work_public`.`sqlanon_measured` as `measured`
  group by
    `measured`.`s1`
)
select
  count(*) as `unknown`,
  cast(sum(`used`.`records`) as bigint) as `records`
from `used`
left join `sqlanon_work_public`.`sqlanon_positions_s1` as `positions`
  on `used`.`value` is not distinct from `positions`.`value`
  and (
    `positions`.`records` > 0
  )
where
  `positions`.`code` is null
having
  count(*) > 0
) as found;

-- 22. values of disease in each class: one row per equivalence class and sensitive value present in it
drop table if exists `sqlanon_work_public`.`sqlanon_class_values_s1`;
create table `sqlanon_work_public`.`sqlanon_class_values_s1` as
-- Narrow columns: this is the largest relation of a measurement.
select
  `classes`.`class_id`,
  cast(`positions`.`code` as int) as `code`,
  cast(`positions`.`position` as int) as `position`,
  count(*) as `records`
from `sqlanon_work_public`.`sqlanon_measured` as `measured`
inner join `sqlanon_work_public`.`sqlanon_classes` as `classes`
  on `measured`.`p1` is not distinct from `classes`.`p1`
inner join `sqlanon_work_public`.`sqlanon_positions_s1` as `positions`
  on `measured`.`s1` is not distinct from `positions`.`value`
  and (
    `positions`.`records` > 0
  )
group by
  `classes`.`class_id`,
  `positions`.`code`,
  `positions`.`position`;

-- 23. information loss of each class: one row per equivalence class
drop table if exists `sqlanon_work_public`.`sqlanon_class_loss`;
create table `sqlanon_work_public`.`sqlanon_class_loss` as
-- The loss of each published cell, 0 for a single value and 1 for the whole domain: the length of an
-- interval over the column's range (of a listed order, from place to place), or the leaves under a
-- node, less one, over all leaves, less one.
-- A centroid does not tell what it loses: that is what a run found, and NULL without one.
-- NULL where a published cell is none of these. Cells are read as text: a table may hold numbers.
with `extents` as (
  select
    1 as `one`,
    (
      select
        min(cast(`domain`.`value` as double))
      from `sqlanon_work_public`.`sqlanon_domain_q1` as `domain`
      where
        `domain`.`records` > 0
    ) as `q1_first`,
    (
      select
        max(cast(`domain`.`value` as double))
      from `sqlanon_work_public`.`sqlanon_domain_q1` as `domain`
      where
        `domain`.`records` > 0
    ) as `q1_last`
), `read_cells` /* Every published cell: as text, and the ends of an interval. */ as (
  select
    `classes`.`class_id`,
    case
      when cast(`classes`.`p1` as string) like '[%, _%'
      then try_cast(substring(cast(`classes`.`p1` as string), 2, locate(', ', cast(`classes`.`p1` as string)) - 2) as double)
    end as `q1_low`,
    case
      when cast(`classes`.`p1` as string) like '[%, _%'
      then try_cast(substring(
        cast(`classes`.`p1` as string),
        locate(', ', cast(`classes`.`p1` as string)) + 2,
        length(cast(`classes`.`p1` as string)) - locate(', ', cast(`classes`.`p1` as string)) - 2
      ) as double)
    end as `q1_high`,
    cast(`classes`.`p1` as string) as `q1_cell`
  from `sqlanon_work_public`.`sqlanon_classes` as `classes`
), `cells` as (
  select
    `read_cells`.`class_id`,
    case
      when `read_cells`.`q1_cell` is null
      then 0.0
      when `read_cells`.`q1_cell` = '*'
      then 1.0
      when `read_cells`.`q1_high` = `read_cells`.`q1_low`
      then 0.0
      when `extents`.`q1_last` = `extents`.`q1_first`
      then 0.0
      when `read_cells`.`q1_high` - `read_cells`.`q1_low` >= `extents`.`q1_last` - `extents`.`q1_first`
      then 1.0
      when not `read_cells`.`q1_high` - `read_cells`.`q1_low` is null
      then (
        `read_cells`.`q1_high` - `read_cells`.`q1_low`
      ) / (
        `extents`.`q1_last` - `extents`.`q1_first`
      )
      when not try_cast(`read_cells`.`q1_cell` as double) is null
      then 0.0
    end as `q1_loss`
  from `read_cells`
  cross join `extents`
)
select
  `cells`.`class_id`,
  round(`cells`.`q1_loss`, 12) as `q1_loss`,
  round((
    1 * `cells`.`q1_loss`
  ) / 1, 12) as `loss`
from `cells`;

-- 24. class report: one row per equivalence class
drop table if exists `sqlanon_work_public`.`sqlanon_public__classes`;
create table `sqlanon_work_public`.`sqlanon_public__classes` as
select
  `classes`.`class_id`,
  `classes`.`records`,
  `classes`.`p1` as `age`,
  `classes`.`records` as `k_anonymity`,
  `class_loss`.`loss` as `information_loss`
from `sqlanon_work_public`.`sqlanon_classes` as `classes`
inner join `sqlanon_work_public`.`sqlanon_class_loss` as `class_loss`
  on `classes`.`class_id` = `class_loss`.`class_id`;

-- 25. metrics: one row per declared model


-- 26. accounting for the records: one row
drop table if exists `sqlanon_work_public`.`sqlanon_ledger`;
create table `sqlanon_work_public`.`sqlanon_ledger` as
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with `released` as (
  select
    count(*) as `records`
  from `sqlanon_work_public`.`sqlanon_public`
)
select
  `size`.`records` as `records_in`,
  `released`.`records` as `records_out`,
  cast(0 as bigint) as `records_suppressed`
from `sqlanon_work_public`.`sqlanon_size` as `size`
cross join `released`;

-- 27. nothing is published unless all of this holds
select case when count(*) > 0 then raise_error(array_join(array_agg(broken.promise), '; ')) end as refused
from (  -- no record lost or invented
select coalesce(cast(found.`records_in` as string), '') || ' records went in and ' || coalesce(cast(found.`records_out` as string), '') || ' came out: a fault of sqlanon\'s, or the source changed during the run; nothing was published' as promise
from (
    select
      `ledger`.`records_in`,
      `ledger`.`records_out`
    from `sqlanon_work_public`.`sqlanon_ledger` as `ledger`
    where
      `ledger`.`records_in` <> `ledger`.`records_out` + `ledger`.`records_suppressed`
) as found
union all  -- no sensitive column gives a hidden value back
select 'a sensitive column gives a quasi-identifier back, whose value then stands in every row although its own cell hides it (copied_share: of how many records), so nothing was published; leave one of the two out, coarsen the sensitive one in the source, or accept it by name with sensitive: {COLUMN: {accept: WHY}}: ' || coalesce(cast(found.`attribute` as string), '') || ' (' || coalesce(cast(found.`records` as string), '') || ' records)' as promise
from (
    -- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
    -- of what the cell hides. Whether it is one is seen from which values come together, in different tuples of all
    -- columns: a table that was loaded twice, or records that are alike, prove nothing.
    with `tuples` as (
      select distinct
        `records`.`q1`,
        `records`.`s1`
      from `sqlanon_work_public`.`sqlanon_records` as `records`
    ), `pairs` /* Every two values of a pair of columns; the other columns are NULL. */ as (
      select
        case when grouping(`tuples`.`s1`) = 0 then 0 end + case when grouping(`tuples`.`q1`) = 0 then 1 end as `number`,
        cast(count(*) as double) as `tuples`,
        `tuples`.`s1`,
        `tuples`.`q1`,
        coalesce(cast(`tuples`.`s1` as string)) as `held_label`,
        coalesce(cast(`tuples`.`q1` as string)) as `given_label`
      from `tuples`
      group by
        grouping sets (
          (`tuples`.`s1`, `tuples`.`q1`)
        )
    ), `likely` /* The pairs of columns that may be copies: values with nearly one original have a tenth of the tuples, or the */ /* two have the same text. */ as (
      select
        `held`.`number`
      from (
        select
          `pairs`.`number`,
          sum(`pairs`.`tuples`) as `tuples`,
          max(`pairs`.`tuples`) as `most`,
          sum(
            case
              when substring(`pairs`.`held_label`, 1, length(`pairs`.`given_label`)) = `pairs`.`given_label`
              then `pairs`.`tuples`
              else 0
            end
          ) as `same`
        from `pairs`
        group by
          `pairs`.`number`,
          `pairs`.`s1`
      ) as `held`
      group by
        `held`.`number`
      having
        10 * sum(
          case when 20 * `held`.`most` >= 19 * `held`.`tuples` then `held`.`most` else 0 end
        ) > sum(`held`.`tuples`)
        or 20 * sum(`held`.`same`) >= 19 * sum(`held`.`tuples`)
    ), `counted` as (
      select
        `pairs`.`number`,
        `pairs`.`tuples`,
        `pairs`.`s1`,
        `pairs`.`q1`,
        sum(`pairs`.`tuples`) over (partition by `pairs`.`number`, `pairs`.`s1`) as `of_held`,
        sum(`pairs`.`tuples`) over (partition by `pairs`.`number`, `pairs`.`q1`) as `of_given`,
        sum(`pairs`.`tuples`) over (partition by `pairs`.`number`) as `whole`,
        case
          when `pairs`.`held_label` = `pairs`.`given_label`
          or (
            `pairs`.`given_label` <> ''
            and substring(`pairs`.`held_label`, 1, length(`pairs`.`given_label`)) = `pairs`.`given_label`
          )
          then `pairs`.`tuples`
          else 0
        end as `same`
      from `pairs`
      inner join `likely`
        on `pairs`.`number` = `likely`.`number`
    ), `telling` /* Values whose tuples nearly all have one original; both by their places in order. */ as (
      select
        `counted`.`number`,
        `counted`.`tuples`,
        `counted`.`of_held`,
        `counted`.`of_given`,
        `counted`.`whole`,
        dense_rank() over (partition by `counted`.`number` order by `counted`.`s1`) as `held`,
        dense_rank() over (partition by `counted`.`number` order by `counted`.`q1`) as `given`
      from `counted`
      where
        20 * `counted`.`tuples` >= 19 * `counted`.`of_held`
    ), `copies` /* The same text, or a function. */ as (
      select
        `counted`.`number`
      from `counted`
      group by
        `counted`.`number`
      having
        max(`counted`.`whole`) - max(`counted`.`of_given`) >= 10
        and 20 * (
          max(`counted`.`whole`) - sum(`counted`.`same`)
        ) <= max(`counted`.`whole`) - max(`counted`.`of_given`)
      union
      select
        `telling`.`number`
      from `telling`
      where
        `telling`.`of_held` >= 5
        and 1000 * power(`telling`.`of_given` / `telling`.`whole`, least(`telling`.`of_held` - 1, 10)) <= 1
      group by
        `telling`.`number`
      having
        count(distinct `telling`.`given`) >= 5
        and sum(`telling`.`tuples`) >= 30
        and 10 * sum(`telling`.`tuples`) > max(`telling`.`whole`)
    )
    select
      case `copies`.`number` when 1 then 'age by disease' end as `attribute`,
      cast(sum(`classes`.`records`) as double) / max(`released`.`records`) as `reached`,
      cast(sum(`classes`.`records`) as bigint) as `records`
    from `copies`
    cross join (
      select
        sum(`every_class`.`records`) as `records`
      from `sqlanon_work_public`.`sqlanon_classes` as `every_class`
      inner join `sqlanon_work_public`.`sqlanon_class_loss` as `every_loss`
        on `every_class`.`class_id` = `every_loss`.`class_id`
    ) as `released`
    cross join `sqlanon_work_public`.`sqlanon_classes` as `classes`
    inner join `sqlanon_work_public`.`sqlanon_class_loss` as `class_loss`
      on `classes`.`class_id` = `class_loss`.`class_id`
    where
      case `copies`.`number` % 1 when 0 then `class_loss`.`q1_loss` end > 0
    group by
      `copies`.`number`
    order by
      `copies`.`number` nulls last
) as found
union all  -- every declared model holds
select 'the release does not reach what the spec asks for, so nothing was published; relax what is violated; a greater k may help: ' || array_join(array_agg(coalesce(cast(found.`reached` as string), '')), '; ') as promise
from (
    select
      `metrics`.`metric`,
      `metrics`.`attribute`,
      `metrics`.`threshold`,
      `metrics`.`value`,
      `metrics`.`failing_classes`,
      `metrics`.`failing_records`,
      `metrics`.`metric` || coalesce(' ' || `metrics`.`attribute`, '') || ': asked for ' || `metrics`.`threshold` || ', reached ' || coalesce(cast(`metrics`.`value` as string), 'nothing') || coalesce(
        '; ' || cast(`metrics`.`failing_classes` as string) || ' classes with ' || cast(`metrics`.`failing_records` as string) || ' records violate it',
        ''
      ) as `reached`
    from `sqlanon_work_public`.`sqlanon_public__metrics` as `metrics`
    where
      `metrics`.`passed` = false
) as found having count(*) > 0
) as broken
having count(*) > 0;

-- 28. the content of public: one row
drop table if exists `sqlanon_work_public`.`sqlanon_content_of_1`;
create table `sqlanon_work_public`.`sqlanon_content_of_1` as
-- A certificate's facts about a published table: how many records it has, and a hash of them that
-- no order of the rows changes and every change of a cell does, the same on every engine.
with `texts` as (
  select
    coalesce(
      replace(
        replace(
          case
            when not typeof(`released`.`age`) in ('double', 'float')
            then cast(`released`.`age` as string)
            when cast(`released`.`age` as string) = 'NaN'
            then 'nan'
            when cast(`released`.`age` as string) = 'Infinity'
            then 'inf'
            when cast(`released`.`age` as string) = '-Infinity'
            then '-inf'
            when locate('E', cast(`released`.`age` as string)) = 0
            then cast(`released`.`age` as string)
            when abs(try_cast(cast(`released`.`age` as string) as double)) between 0.0001 and 9999999999999998
            then regexp_replace(
              regexp_replace(
                cast(try_cast(cast(`released`.`age` as string) as decimal(38, 21)) as string),
                '0+$',
                ''
              ),
              '[.]$',
              '.0'
            )
            else replace(split_part(cast(`released`.`age` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`released`.`age` as string)) > 0 then '-' else '+' end || case
              when length(replace(split_part(cast(`released`.`age` as string), 'E', 2), '-', '')) = 1
              then '0'
              else ''
            end || replace(split_part(cast(`released`.`age` as string), 'E', 2), '-', '')
          end,
          '~',
          '~~'
        ),
        '|',
        '~p'
      ),
      '~n'
    ) || '|' || coalesce(
      replace(
        replace(
          case
            when not typeof(`released`.`disease`) in ('double', 'float')
            then cast(`released`.`disease` as string)
            when cast(`released`.`disease` as string) = 'NaN'
            then 'nan'
            when cast(`released`.`disease` as string) = 'Infinity'
            then 'inf'
            when cast(`released`.`disease` as string) = '-Infinity'
            then '-inf'
            when locate('E', cast(`released`.`disease` as string)) = 0
            then cast(`released`.`disease` as string)
            when abs(try_cast(cast(`released`.`disease` as string) as double)) between 0.0001 and 9999999999999998
            then regexp_replace(
              regexp_replace(
                cast(try_cast(cast(`released`.`disease` as string) as decimal(38, 21)) as string),
                '0+$',
                ''
              ),
              '[.]$',
              '.0'
            )
            else replace(split_part(cast(`released`.`disease` as string), 'E', 1) || 'e', '.0e', 'e') || case
              when locate('E-', cast(`released`.`disease` as string)) > 0
              then '-'
              else '+'
            end || case
              when length(replace(split_part(cast(`released`.`disease` as string), 'E', 2), '-', '')) = 1
              then '0'
              else ''
            end || replace(split_part(cast(`released`.`disease` as string), 'E', 2), '-', '')
          end,
          '~',
          '~~'
        ),
        '|',
        '~p'
      ),
      '~n'
    ) as `row_text`
  from `sqlanon_work_public`.`sqlanon_public` as `released`
), `parts` as (
  select
    sum(`counted`.`records`) as `records`,
    left(`counted`.`row_hash`, 3) || sha2(
      array_join(
        array_sort(collect_list(`counted`.`row_hash` || ':' || cast(`counted`.`records` as string))),
        ','
      ),
      256
    ) as `part_hash`
  from (
    select
      sha2(`texts`.`row_text`, 256) as `row_hash`,
      count(*) as `records`
    from `texts`
    group by
      sha2(`texts`.`row_text`, 256)
  ) as `counted`
  group by
    left(`counted`.`row_hash`, 3)
)
select
  cast(coalesce(sum(`parts`.`records`), 0) as bigint) as `records`,
  sha2(coalesce(array_join(array_sort(collect_list(`parts`.`part_hash`)), ','), ''), 256) as `content`
from `parts`;

-- 29. recording the run: one row per fact about the run


-- Everything holds: the new release replaces the older one.

drop table if exists `public__new`;
create table `public__new` as
select * from `sqlanon_work_public`.`sqlanon_public`;
drop table if exists `public`;
alter table `public__new` rename to `public`;
comment on table `public` is 'sqlanon release 00000000000000000000000000000000';

drop table if exists `public__classes__new`;
create table `public__classes__new` as
select * from `sqlanon_work_public`.`sqlanon_public__classes`;
drop table if exists `public__classes`;
alter table `public__classes__new` rename to `public__classes`;
comment on table `public__classes` is 'sqlanon release 00000000000000000000000000000000';

drop table if exists `public__metrics__new`;
create table `public__metrics__new` as
select * from `sqlanon_work_public`.`sqlanon_public__metrics`;
drop table if exists `public__metrics`;
alter table `public__metrics__new` rename to `public__metrics`;
comment on table `public__metrics` is 'sqlanon release 00000000000000000000000000000000';

drop table if exists `public__run__new`;
create table `public__run__new` as
select * from `sqlanon_work_public`.`sqlanon_public__run`;
drop table if exists `public__run`;
alter table `public__run__new` rename to `public__run`;
comment on table `public__run` is 'sqlanon release 00000000000000000000000000000000';

drop schema `sqlanon_work_public` cascade;
