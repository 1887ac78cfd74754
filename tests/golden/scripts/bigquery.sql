-- sqlanon: makes public
--   q1 = age
--   s1 = disease
-- This text was not run on BigQuery, but on bqemulator, an emulator of it: read it before you use it.
-- Each of its statements commits by itself. The release is made and measured as work tables; it
-- takes the place of the older one at the end, table by table. A check that fails ends the
-- script, if the client stops at an error: the older release stays, and nothing is published.

-- 1. reading the source: one row per record of the source
create or replace temp table `sqlanon_records` as
select
  `source`.`age` as `q1`,
  `source`.`disease` as `s1`
from `patients` as `source`;

-- 2. counting the records: one row
create or replace temp table `sqlanon_size` as
select
  count(*) as `records`
from `sqlanon_records`;

-- 3. the source has records
select error('source: it has no records: nothing can be released') as refused
from (
select
  `size`.`records`
from `sqlanon_size` as `size`
where
  `size`.`records` = 0
) as found;

-- 4. there are enough records
select error('privacy.k: k-anonymity cannot be reached: k is 10, the source has only ' || coalesce(cast(found.`records` as string), '') || ' records; lower k') as refused
from (
select
  `size`.`records`
from `sqlanon_size` as `size`
where
  `size`.`records` < 10
) as found;

-- 5. distinct values of age: one row per distinct value of the attribute, NULL among them
create or replace temp table `sqlanon_values_q1` as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select
  `q1` as `value`,
  cast(`q1` as string) as `label`,
  count(*) as `records`
from `sqlanon_records`
group by
  `q1`;

-- 6. codes of age: one row per distinct value in the data; code 0 is NULL
create or replace temp table `sqlanon_domain_q1` as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by `values_in_use`.`value` nulls last) as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_values_q1` as `values_in_use`
where
  not `values_in_use`.`value` is null
union all
select
  0 as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_values_q1` as `values_in_use`
where
  `values_in_use`.`value` is null;

-- 7. distinct values of disease: one row per distinct value of the attribute, NULL among them
create or replace temp table `sqlanon_values_s1` as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select
  `s1` as `value`,
  cast(`s1` as string) as `label`,
  count(*) as `records`
from `sqlanon_records`
group by
  `s1`;

-- 8. codes of disease: one row per distinct value in the data; code 0 is NULL
create or replace temp table `sqlanon_domain_s1` as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by `values_in_use`.`value` nulls last) as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_values_s1` as `values_in_use`
where
  not `values_in_use`.`value` is null
union all
select
  0 as `code`,
  `values_in_use`.`value`,
  `values_in_use`.`records`,
  `values_in_use`.`label` as `level_0`
from `sqlanon_values_s1` as `values_in_use`
where
  `values_in_use`.`value` is null;

-- 9. order of disease: one row per value of a sensitive attribute, and per value its declared order adds
create or replace temp table `sqlanon_positions_s1` as
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
  `domain`.`code`,
  `domain`.`value`,
  `domain`.`records`,
  row_number() over (order by `domain`.`code` nulls last) as `position`
from `sqlanon_domain_s1` as `domain`;

-- 10. coding the records: one row per record
create or replace temp table `sqlanon_coded` as
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select
  coalesce(`domain_q1`.`code`, 0) as `q1`,
  coalesce(`domain_s1`.`code`, 0) as `s1`
from `sqlanon_records` as `records`
left join `sqlanon_domain_q1` as `domain_q1`
  on `records`.`q1` = `domain_q1`.`value`
left join `sqlanon_domain_s1` as `domain_s1`
  on `records`.`s1` = `domain_s1`.`value`;

-- 11. stacking the sensitive values: one row per combination of sensitive values in the data
create or replace temp table `sqlanon_stack` as
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with `combinations` as (
  select
    `records`.`s1` as `value_s1`,
    count(*) as `frequency`
  from `sqlanon_records` as `records`
  group by
    `records`.`s1`
), `cells` as (
  select
    `positions_s1`.`code` as `s1`,
    `positions_s1`.`position` - 1 as `place_s1`,
    `combinations`.`frequency`
  from `combinations`
  inner join `sqlanon_positions_s1` as `positions_s1`
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
  cast(sum(`blocks`.`frequency`) over (order by `blocks`.`block` rows between unbounded preceding and current row) - `blocks`.`frequency` as int64) as `start`
from `blocks`;

-- 12. counting the classes: one row
create or replace temp table `sqlanon_sizes` as
with `counted` as (
  select
    cast(sum(`stack`.`frequency`) as int64) as `records`
  from `sqlanon_stack` as `stack`
)
select
  `counted`.`records`,
  cast((
    `counted`.`records` - mod(`counted`.`records`, 10)
  ) / 10 as int64) as `classes`
from `counted`;

-- 13. stacking the records: one row per record
create or replace temp table `sqlanon_stacked` as
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Numbered block by block, because a
-- single window over all records would sort them on one thread.
with `digested` as (
  select
    `coded`.`q1`,
    `coded`.`s1`,
    mod(cast(0 as int64) * 48271 + `coded`.`q1`, 2147483647) as `digest`
  from `sqlanon_coded` as `coded`
), `shuffled` as (
  select
    `digested`.`q1`,
    `digested`.`s1`,
    mod(
      mod(
        (
          mod(`digested`.`digest` * `digested`.`digest`, 2147483647)
        ) * (
          mod(`digested`.`digest` * `digested`.`digest`, 2147483647)
        ),
        2147483647
      ) * `digested`.`digest`,
      2147483647
    ) as `shuffle`
  from `digested`
)
select
  `shuffled`.`q1`,
  `shuffled`.`s1`,
  `stack`.`start` + row_number() over (
    partition by `shuffled`.`s1`
    order by `shuffled`.`shuffle` nulls last, `shuffled`.`q1` nulls last
  ) - 1 as `position`
from `shuffled`
inner join `sqlanon_stack` as `stack`
  on `shuffled`.`s1` = `stack`.`s1`;

-- 14. dealing the records into classes: one row per record
create or replace temp table `sqlanon_assigned` as
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
select
  mod(`stacked`.`position`, `sizes`.`classes`) as `class_id`,
  `stacked`.`q1`,
  `stacked`.`s1`
from `sqlanon_stacked` as `stacked`
cross join `sqlanon_sizes` as `sizes`;

-- 15. the extent of every class: one row per class as formed
create or replace temp table `sqlanon_boxes` as
-- The smallest and the largest code of every quasi-identifier in the class.
select
  `assigned`.`class_id`,
  count(*) as `records`,
  min(`assigned`.`q1`) as `q1_low`,
  max(`assigned`.`q1`) as `q1_high`
from `sqlanon_assigned` as `assigned`
group by
  `assigned`.`class_id`;

-- 16. what every class publishes: one row per class as formed
create or replace temp table `sqlanon_recoded` as
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
  from `sqlanon_boxes` as `boxes`
  inner join `sqlanon_domain_q1` as `low_q1`
    on `boxes`.`q1_low` = `low_q1`.`code`
  inner join `sqlanon_domain_q1` as `high_q1`
    on `boxes`.`q1_high` = `high_q1`.`code`
)
select
  `cells`.`class_id`,
  `cells`.`p1`,
  cast(dense_rank() over (order by `cells`.`p1`) as int64) as `ordinal`
from `cells`;

-- 17. ordering the records by what they publish: one row per record
create or replace temp table `sqlanon_ordered` as
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select
  `recoded`.`ordinal`,
  `assigned`.`s1`
from `sqlanon_assigned` as `assigned`
inner join `sqlanon_recoded` as `recoded`
  on `assigned`.`class_id` = `recoded`.`class_id`
order by
  `recoded`.`ordinal` nulls last,
  `assigned`.`s1` nulls last;

-- 18. writing the release: one row per record
create or replace temp table `sqlanon_public` as
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with `representatives` as (
  select
    min(`recoded`.`class_id`) as `class_id`
  from `sqlanon_recoded` as `recoded`
  group by
    `recoded`.`ordinal`
), `tuples` as (
  select
    `recoded`.`ordinal`,
    `recoded`.`p1`
  from `sqlanon_recoded` as `recoded`
  inner join `representatives`
    on `recoded`.`class_id` = `representatives`.`class_id`
)
select
  `tuples`.`p1` as `age`,
  `domain_s1`.`value` as `disease`
from `sqlanon_ordered` as `ordered`
inner join `tuples`
  on `ordered`.`ordinal` = `tuples`.`ordinal`
inner join `sqlanon_domain_s1` as `domain_s1`
  on `ordered`.`s1` = `domain_s1`.`code`
order by
  `ordered`.`ordinal` nulls last,
  `ordered`.`s1` nulls last;

-- 19. the table as it is read: one row per record of the source
create or replace temp table `sqlanon_measured` as
select
  `source`.`age` as `p1`,
  `source`.`disease` as `s1`
from `sqlanon_public` as `source`;

-- 20. equivalence classes: one row per equivalence class: per distinct published tuple of quasi-identifiers
create or replace temp table `sqlanon_classes` as
-- Classes as a reader of the release sees them, which may differ from those that the method formed. NULL equals NULL.
select
  cast(row_number() over (order by `measured`.`p1`) as int64) as `class_id`,
  count(*) as `records`,
  `measured`.`p1`
from `sqlanon_measured` as `measured`
group by
  `measured`.`p1`;

-- 21. known values of disease
select error('sensitive.disease: ' || coalesce(cast(found.`unknown` as string), '') || ' values, in ' || coalesce(cast(found.`records` as string), '') || ' records, are not in the reference table: closeness to it has no meaning') as refused
from (
with `used` as (
  select
    `measured`.`s1` as `value`,
    count(*) as `records`
  from `sqlanon_measured` as `measured`
  group by
    `measured`.`s1`
)
select
  count(*) as `unknown`,
  cast(sum(`used`.`records`) as int64) as `records`
from `used`
left join `sqlanon_positions_s1` as `positions`
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
create or replace temp table `sqlanon_class_values_s1` as
-- Narrow columns: this is the largest relation of a measurement.
select
  `classes`.`class_id`,
  cast(`positions`.`code` as int64) as `code`,
  cast(`positions`.`position` as int64) as `position`,
  count(*) as `records`
from `sqlanon_measured` as `measured`
inner join `sqlanon_classes` as `classes`
  on `measured`.`p1` is not distinct from `classes`.`p1`
inner join `sqlanon_positions_s1` as `positions`
  on `measured`.`s1` is not distinct from `positions`.`value`
  and (
    `positions`.`records` > 0
  )
group by
  `classes`.`class_id`,
  `positions`.`code`,
  `positions`.`position`;

-- 23. information loss of each class: one row per equivalence class
create or replace temp table `sqlanon_class_loss` as
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
        min(cast(`domain`.`value` as float64))
      from `sqlanon_domain_q1` as `domain`
      where
        `domain`.`records` > 0
    ) as `q1_first`,
    (
      select
        max(cast(`domain`.`value` as float64))
      from `sqlanon_domain_q1` as `domain`
      where
        `domain`.`records` > 0
    ) as `q1_last`
), `read_cells` /* Every published cell: as text, and the ends of an interval. */ as (
  select
    `classes`.`class_id`,
    case
      when cast(`classes`.`p1` as string) like '[%, _%'
      then safe_cast(substring(cast(`classes`.`p1` as string), 2, instr(cast(`classes`.`p1` as string), ', ') - 2) as float64)
    end as `q1_low`,
    case
      when cast(`classes`.`p1` as string) like '[%, _%'
      then safe_cast(substring(
        cast(`classes`.`p1` as string),
        instr(cast(`classes`.`p1` as string), ', ') + 2,
        length(cast(`classes`.`p1` as string)) - instr(cast(`classes`.`p1` as string), ', ') - 2
      ) as float64)
    end as `q1_high`,
    cast(`classes`.`p1` as string) as `q1_cell`
  from `sqlanon_classes` as `classes`
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
      then cast((
        `read_cells`.`q1_high` - `read_cells`.`q1_low`
      ) as float64) / (
        `extents`.`q1_last` - `extents`.`q1_first`
      )
      when not safe_cast(`read_cells`.`q1_cell` as float64) is null
      then 0.0
    end as `q1_loss`
  from `read_cells`
  cross join `extents`
)
select
  `cells`.`class_id`,
  round(`cells`.`q1_loss`, 12) as `q1_loss`,
  round(cast((
    1 * `cells`.`q1_loss`
  ) as float64) / 1, 12) as `loss`
from `cells`;

-- 24. class report: one row per equivalence class
create or replace temp table `sqlanon_public__classes` as
select
  `classes`.`class_id`,
  `classes`.`records`,
  `classes`.`p1` as `age`,
  `classes`.`records` as `k_anonymity`,
  `class_loss`.`loss` as `information_loss`
from `sqlanon_classes` as `classes`
inner join `sqlanon_class_loss` as `class_loss`
  on `classes`.`class_id` = `class_loss`.`class_id`;

-- 25. metrics: one row per declared model


-- 26. accounting for the records: one row
create or replace temp table `sqlanon_ledger` as
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with `released` as (
  select
    count(*) as `records`
  from `sqlanon_public`
)
select
  `size`.`records` as `records_in`,
  `released`.`records` as `records_out`,
  cast(0 as int64) as `records_suppressed`
from `sqlanon_size` as `size`
cross join `released`;

-- 27. nothing is published unless all of this holds
select case when count(*) > 0 then error(string_agg(broken.promise, '; ')) end as refused
from (  -- no record lost or invented
select coalesce(cast(found.`records_in` as string), '') || ' records went in and ' || coalesce(cast(found.`records_out` as string), '') || ' came out: a fault of sqlanon\'s, or the source changed during the run; nothing was published' as promise
from (
    select
      `ledger`.`records_in`,
      `ledger`.`records_out`
    from `sqlanon_ledger` as `ledger`
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
      from `sqlanon_records` as `records`
    ), `pairs` /* Every two values of a pair of columns; the other columns are NULL. */ as (
      select
        case when grouping(`tuples`.`s1`) = 0 then 0 end + case when grouping(`tuples`.`q1`) = 0 then 1 end as `number`,
        cast(count(*) as float64) as `tuples`,
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
      union distinct
      select
        `telling`.`number`
      from `telling`
      where
        `telling`.`of_held` >= 5
        and 1000 * power(
          cast(`telling`.`of_given` as float64) / `telling`.`whole`,
          least(`telling`.`of_held` - 1, 10)
        ) <= 1
      group by
        `telling`.`number`
      having
        count(distinct `telling`.`given`) >= 5
        and sum(`telling`.`tuples`) >= 30
        and 10 * sum(`telling`.`tuples`) > max(`telling`.`whole`)
    )
    select
      case `copies`.`number` when 1 then 'age by disease' end as `attribute`,
      cast(sum(`classes`.`records`) as float64) / max(`released`.`records`) as `reached`,
      cast(sum(`classes`.`records`) as int64) as `records`
    from `copies`
    cross join (
      select
        sum(`every_class`.`records`) as `records`
      from `sqlanon_classes` as `every_class`
      inner join `sqlanon_class_loss` as `every_loss`
        on `every_class`.`class_id` = `every_loss`.`class_id`
    ) as `released`
    cross join `sqlanon_classes` as `classes`
    inner join `sqlanon_class_loss` as `class_loss`
      on `classes`.`class_id` = `class_loss`.`class_id`
    where
      case mod(`copies`.`number`, 1) when 0 then `class_loss`.`q1_loss` end > 0
    group by
      `copies`.`number`
    order by
      `copies`.`number` nulls last
) as found
union all  -- every declared model holds
select 'the release does not reach what the spec asks for, so nothing was published; relax what is violated; a greater k may help: ' || string_agg(coalesce(cast(found.`reached` as string), ''), '; ') as promise
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
    from `sqlanon_public__metrics` as `metrics`
    where
      `metrics`.`passed` = false
) as found having count(*) > 0
) as broken
having count(*) > 0;

-- 28. the content of public: one row
create or replace temp table `sqlanon_content_of_1` as
-- A certificate's facts about a published table: how many records it has, and a hash of them that
-- no order of the rows changes and every change of a cell does, the same on every engine.
with `texts` as (
  select
    coalesce(replace(replace(cast(`released`.`age` as string), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(`released`.`disease` as string), '~', '~~'), '|', '~p'), '~n') as `row_text`
  from `sqlanon_public` as `released`
), `parts` as (
  select
    sum(`counted`.`records`) as `records`,
    left(`counted`.`row_hash`, 3) || to_hex(
      sha256(
        string_agg(
          `counted`.`row_hash` || ':' || cast(`counted`.`records` as string), ','
          order by
            `counted`.`row_hash`
        )
      )
    ) as `part_hash`
  from (
    select
      to_hex(sha256(`texts`.`row_text`)) as `row_hash`,
      count(*) as `records`
    from `texts`
    group by
      to_hex(sha256(`texts`.`row_text`))
  ) as `counted`
  group by
    left(`counted`.`row_hash`, 3)
)
select
  cast(coalesce(sum(`parts`.`records`), 0) as int64) as `records`,
  to_hex(
    sha256(
      coalesce(string_agg(`parts`.`part_hash`, ','
      order by
        `parts`.`part_hash`), '')
    )
  ) as `content`
from `parts`;

-- 29. recording the run: one row per fact about the run


-- Everything holds: the new release replaces the older one.

create or replace table `public` as
select * from `sqlanon_public`;

create or replace table `public__classes` as
select * from `sqlanon_public__classes`;

create or replace table `public__metrics` as
select * from `sqlanon_public__metrics`;

create or replace table `public__run` as
select * from `sqlanon_public__run`;

-- What was needed until here.
drop table if exists `sqlanon_public__run`; drop table if exists `sqlanon_content_of_1`;
drop table if exists `sqlanon_ledger`; drop table if exists `sqlanon_public__metrics`;
drop table if exists `sqlanon_public__classes`; drop table if exists `sqlanon_class_loss`;
drop table if exists `sqlanon_class_values_s1`; drop table if exists `sqlanon_classes`;
drop table if exists `sqlanon_measured`; drop table if exists `sqlanon_public`; drop table if exists `sqlanon_ordered`;
drop table if exists `sqlanon_recoded`; drop table if exists `sqlanon_boxes`; drop table if exists `sqlanon_assigned`;
drop table if exists `sqlanon_stacked`; drop table if exists `sqlanon_sizes`; drop table if exists `sqlanon_stack`;
drop table if exists `sqlanon_coded`; drop table if exists `sqlanon_positions_s1`;
drop table if exists `sqlanon_domain_s1`; drop table if exists `sqlanon_values_s1`;
drop table if exists `sqlanon_domain_q1`; drop table if exists `sqlanon_values_q1`; drop table if exists `sqlanon_size`;
drop table if exists `sqlanon_records`;
