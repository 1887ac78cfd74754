-- sqlanon: makes public
--   q1 = age
--   s1 = disease
-- This text was not run on ClickHouse, but on chdb, ClickHouse as a library: read it before you use it.
-- Each of its statements commits by itself. The release is made and measured as work tables; it
-- takes the place of the older one at the end, table by table. A check that fails ends the
-- script, if the client stops at an error: the older release stays, and nothing is published.
-- Run it with: clickhouse-client --queries-file FILE

set enable_extended_results_for_datetime_functions = '1';
set session_timezone = 'UTC';
set join_use_nulls = '1';
set union_default_mode = 'DISTINCT';
set use_variant_as_common_type = '0';
set default_table_engine = 'MergeTree';
set create_table_empty_primary_key_by_default = '1';

-- 1. reading the source: one row per record of the source
create or replace temporary table "sqlanon_records" as
select
  "source"."age" as "q1",
  "source"."disease" as "s1"
from "patients" as "source";

-- 2. counting the records: one row
create or replace temporary table "sqlanon_size" as
select
  CAST(COUNT(*) as Nullable(Int64)) as "records"
from "sqlanon_records";

-- 3. the source has records
select toInt32('source: it has no records: nothing can be released' || coalesce(left(cast(found."records" as Nullable(String)), 0), '')) as refused
from (
select
  "size"."records" as "records"
from "sqlanon_size" as "size"
where
  "size"."records" = 0
) as found;

-- 4. there are enough records
select toInt32('privacy.k: k-anonymity cannot be reached: k is 10, the source has only ' || coalesce(cast(found."records" as Nullable(String)), '') || ' records; lower k') as refused
from (
select
  "size"."records" as "records"
from "sqlanon_size" as "size"
where
  "size"."records" < 10
) as found;

-- 5. distinct values of age: one row per distinct value of the attribute, NULL among them
create or replace temporary table "sqlanon_values_q1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select
  "q1" as "value",
  case
    when toTypeName("q1") like '%DateTime64%'
    then REGEXP_REPLACE(REGEXP_REPLACE(CAST("q1" as Nullable(String)), '([.][0-9]*?)0+$', '\\1'), '[.]$', '')
    when toTypeName("q1") like '%Decimal%, 0)%'
    then CAST("q1" as Nullable(String))
    when toTypeName("q1") like '%Decimal%'
    then case
      when not (
        CAST("q1" as Nullable(String)) is NULL
      )
      then splitByString('.', CAST("q1" as Nullable(String)))[1]
    end || '.' || rightPadUTF8(
      case
        when not (
          CAST("q1" as Nullable(String)) is NULL
        )
        then splitByString('.', CAST("q1" as Nullable(String)))[2]
      end,
      COALESCE(CAST(REGEXP_EXTRACT(toTypeName("q1"), ', ([0-9]+)', 1) as Nullable(Int32)), 0),
      '0'
    )
    when toTypeName("q1") not like '%Float%'
    or CAST("q1" as Nullable(String)) in ('nan', 'inf', '-inf')
    then CAST("q1" as Nullable(String))
    when positionUTF8(CAST("q1" as Nullable(String)), 'e') > 0
    then REGEXP_REPLACE(
      REGEXP_REPLACE(CAST("q1" as Nullable(String)), 'e([0-9])', 'e+\\1'),
      'e([+-])([0-9])$',
      'e\\10\\2'
    )
    when match(CAST("q1" as Nullable(String)), '^-?[0-9]{17,}$')
    then REGEXP_REPLACE(
      REGEXP_REPLACE(CAST("q1" as Nullable(String)), '^(-?[0-9])([0-9]*?)0*$', '\\1.\\2'),
      '[.]$',
      ''
    ) || 'e+' || CAST(CHAR_LENGTH(replace(CAST("q1" as Nullable(String)), '-', '')) - 1 as Nullable(String))
    when match(CAST("q1" as Nullable(String)), '^-?0[.]0000')
    then REGEXP_REPLACE(
      REGEXP_REPLACE(CAST("q1" as Nullable(String)), '^(-?)0[.]0+([1-9])([0-9]*)$', '\\1\\2.\\3'),
      '[.]$',
      ''
    ) || 'e-0' || CAST(CHAR_LENGTH(REGEXP_EXTRACT(CAST("q1" as Nullable(String)), '[.](0+)', 1)) + 1 as Nullable(String))
    when positionUTF8(CAST("q1" as Nullable(String)), '.') = 0
    then CAST("q1" as Nullable(String)) || '.0'
    else CAST("q1" as Nullable(String))
  end as "label",
  CAST(COUNT(*) as Nullable(Int64)) as "records"
from "sqlanon_records"
group by
  "q1";

-- 6. codes of age: one row per distinct value in the data; code 0 is NULL
create or replace temporary table "sqlanon_domain_q1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  CAST(ROW_NUMBER() over (order by "values_in_use"."value") as Nullable(Int64)) as "code",
  "values_in_use"."value" as "value",
  "values_in_use"."records" as "records",
  "values_in_use"."label" as "level_0"
from "sqlanon_values_q1" as "values_in_use"
where
  not (
    "values_in_use"."value" is NULL
  )
UNION all
select
  0 as "code",
  "values_in_use"."value" as "value",
  "values_in_use"."records" as "records",
  "values_in_use"."label" as "level_0"
from "sqlanon_values_q1" as "values_in_use"
where
  "values_in_use"."value" is NULL;

-- 7. distinct values of disease: one row per distinct value of the attribute, NULL among them
create or replace temporary table "sqlanon_values_s1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select
  "s1" as "value",
  case
    when toTypeName("s1") like '%DateTime64%'
    then REGEXP_REPLACE(REGEXP_REPLACE(CAST("s1" as Nullable(String)), '([.][0-9]*?)0+$', '\\1'), '[.]$', '')
    when toTypeName("s1") like '%Decimal%, 0)%'
    then CAST("s1" as Nullable(String))
    when toTypeName("s1") like '%Decimal%'
    then case
      when not (
        CAST("s1" as Nullable(String)) is NULL
      )
      then splitByString('.', CAST("s1" as Nullable(String)))[1]
    end || '.' || rightPadUTF8(
      case
        when not (
          CAST("s1" as Nullable(String)) is NULL
        )
        then splitByString('.', CAST("s1" as Nullable(String)))[2]
      end,
      COALESCE(CAST(REGEXP_EXTRACT(toTypeName("s1"), ', ([0-9]+)', 1) as Nullable(Int32)), 0),
      '0'
    )
    when toTypeName("s1") not like '%Float%'
    or CAST("s1" as Nullable(String)) in ('nan', 'inf', '-inf')
    then CAST("s1" as Nullable(String))
    when positionUTF8(CAST("s1" as Nullable(String)), 'e') > 0
    then REGEXP_REPLACE(
      REGEXP_REPLACE(CAST("s1" as Nullable(String)), 'e([0-9])', 'e+\\1'),
      'e([+-])([0-9])$',
      'e\\10\\2'
    )
    when match(CAST("s1" as Nullable(String)), '^-?[0-9]{17,}$')
    then REGEXP_REPLACE(
      REGEXP_REPLACE(CAST("s1" as Nullable(String)), '^(-?[0-9])([0-9]*?)0*$', '\\1.\\2'),
      '[.]$',
      ''
    ) || 'e+' || CAST(CHAR_LENGTH(replace(CAST("s1" as Nullable(String)), '-', '')) - 1 as Nullable(String))
    when match(CAST("s1" as Nullable(String)), '^-?0[.]0000')
    then REGEXP_REPLACE(
      REGEXP_REPLACE(CAST("s1" as Nullable(String)), '^(-?)0[.]0+([1-9])([0-9]*)$', '\\1\\2.\\3'),
      '[.]$',
      ''
    ) || 'e-0' || CAST(CHAR_LENGTH(REGEXP_EXTRACT(CAST("s1" as Nullable(String)), '[.](0+)', 1)) + 1 as Nullable(String))
    when positionUTF8(CAST("s1" as Nullable(String)), '.') = 0
    then CAST("s1" as Nullable(String)) || '.0'
    else CAST("s1" as Nullable(String))
  end as "label",
  CAST(COUNT(*) as Nullable(Int64)) as "records"
from "sqlanon_records"
group by
  "s1";

-- 8. codes of disease: one row per distinct value in the data; code 0 is NULL
create or replace temporary table "sqlanon_domain_s1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  CAST(ROW_NUMBER() over (order by "values_in_use"."value") as Nullable(Int64)) as "code",
  "values_in_use"."value" as "value",
  "values_in_use"."records" as "records",
  "values_in_use"."label" as "level_0"
from "sqlanon_values_s1" as "values_in_use"
where
  not (
    "values_in_use"."value" is NULL
  )
UNION all
select
  0 as "code",
  "values_in_use"."value" as "value",
  "values_in_use"."records" as "records",
  "values_in_use"."label" as "level_0"
from "sqlanon_values_s1" as "values_in_use"
where
  "values_in_use"."value" is NULL;

-- 9. order of disease: one row per value of a sensitive attribute, and per value its declared order adds
create or replace temporary table "sqlanon_positions_s1" as
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
  "domain"."code" as "code",
  "domain"."value" as "value",
  "domain"."records" as "records",
  CAST(ROW_NUMBER() over (order by "domain"."code") as Nullable(Int64)) as "position"
from "sqlanon_domain_s1" as "domain";

-- 10. coding the records: one row per record
create or replace temporary table "sqlanon_coded" as
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select
  COALESCE("domain_q1"."code", 0) as "q1",
  COALESCE("domain_s1"."code", 0) as "s1"
from "sqlanon_records" as "records"
left join "sqlanon_domain_q1" as "domain_q1"
  on "records"."q1" = "domain_q1"."value"
left join "sqlanon_domain_s1" as "domain_s1"
  on "records"."s1" = "domain_s1"."value";

-- 11. stacking the sensitive values: one row per combination of sensitive values in the data
create or replace temporary table "sqlanon_stack" as
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with "combinations" as (
  select
    "records"."s1" as "value_s1",
    CAST(COUNT(*) as Nullable(Int64)) as "frequency"
  from "sqlanon_records" as "records"
  group by
    "records"."s1"
), "cells" as (
  select
    "positions_s1"."code" as "s1",
    "positions_s1"."position" - 1 as "place_s1",
    "combinations"."frequency" as "frequency"
  from "combinations"
  inner join "sqlanon_positions_s1" as "positions_s1"
    on "combinations"."value_s1" is not distinct from "positions_s1"."value"
    and /* A value that no record has, which a declared order adds, is NULL here too. */ "positions_s1"."records" > 0
), "blocks" as (
  select
    "cells"."s1" as "s1",
    "cells"."frequency" as "frequency",
    CAST(ROW_NUMBER() over (order by "cells"."frequency" desc, "cells"."s1" desc) as Nullable(Int64)) - 1 as "block"
  from "cells"
)
select
  "blocks"."s1" as "s1",
  "blocks"."frequency" as "frequency",
  "blocks"."block" as "block",
  CAST(SUM("blocks"."frequency") over (order by "blocks"."block" rows between UNBOUNDED preceding and CURRENT row) - "blocks"."frequency" as Nullable(Int64)) as "start"
from "blocks";

-- 12. counting the classes: one row
create or replace temporary table "sqlanon_sizes" as
with "counted" as (
  select
    CAST(SUM("stack"."frequency") as Nullable(Int64)) as "records"
  from "sqlanon_stack" as "stack"
)
select
  "counted"."records" as "records",
  CAST((
    "counted"."records" - "counted"."records" % 10
  ) / 10 as Nullable(Int64)) as "classes"
from "counted";

-- 13. stacking the records: one row per record
create or replace temporary table "sqlanon_stacked" as
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Numbered block by block, because a
-- single window over all records would sort them on one thread.
with "digested" as (
  select
    "coded"."q1" as "q1",
    "coded"."s1" as "s1",
    (
      CAST(0 as Nullable(Int64)) * 48271 + "coded"."q1"
    ) % 2147483647 as "digest"
  from "sqlanon_coded" as "coded"
), "shuffled" as (
  select
    "digested"."q1" as "q1",
    "digested"."s1" as "s1",
    (
      "digested"."digest" * "digested"."digest" % 2147483647
    ) * (
      "digested"."digest" * "digested"."digest" % 2147483647
    ) % 2147483647 * "digested"."digest" % 2147483647 as "shuffle"
  from "digested"
)
select
  "shuffled"."q1" as "q1",
  "shuffled"."s1" as "s1",
  "stack"."start" + CAST(ROW_NUMBER() over (partition by "shuffled"."s1" order by "shuffled"."shuffle", "shuffled"."q1") as Nullable(Int64)) - 1 as "position"
from "shuffled"
inner join "sqlanon_stack" as "stack"
  on "shuffled"."s1" = "stack"."s1";

-- 14. dealing the records into classes: one row per record
create or replace temporary table "sqlanon_assigned" as
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
select
  "stacked"."position" % "sizes"."classes" as "class_id",
  "stacked"."q1" as "q1",
  "stacked"."s1" as "s1"
from "sqlanon_stacked" as "stacked"
cross join "sqlanon_sizes" as "sizes";

-- 15. the extent of every class: one row per class as formed
create or replace temporary table "sqlanon_boxes" as
-- The smallest and the largest code of every quasi-identifier in the class.
select
  "assigned"."class_id" as "class_id",
  CAST(COUNT(*) as Nullable(Int64)) as "records",
  MIN("assigned"."q1") as "q1_low",
  MAX("assigned"."q1") as "q1_high"
from "sqlanon_assigned" as "assigned"
group by
  "assigned"."class_id";

-- 16. what every class publishes: one row per class as formed
create or replace temporary table "sqlanon_recoded" as
-- The cells that are published in place of each quasi-identifier, the same for every record of the
-- class. The ordinal orders the classes by what they publish and by nothing else. So the release
-- can be written in an order that tells no more than its cells do.
with "cells" as (
  select
    "boxes"."class_id" as "class_id",
    case
      when "boxes"."q1_low" = "boxes"."q1_high"
      then "low_q1"."level_0"
      when "boxes"."q1_low" = 0
      then '*'
      else '[' || "low_q1"."level_0" || ', ' || "high_q1"."level_0" || ']'
    end as "p1"
  from "sqlanon_boxes" as "boxes"
  inner join "sqlanon_domain_q1" as "low_q1"
    on "boxes"."q1_low" = "low_q1"."code"
  inner join "sqlanon_domain_q1" as "high_q1"
    on "boxes"."q1_high" = "high_q1"."code"
)
select
  "cells"."class_id" as "class_id",
  "cells"."p1" as "p1",
  CAST(CAST(DENSE_RANK() over (order by "cells"."p1" NULLS first) as Nullable(Int64)) as Nullable(Int32)) as "ordinal"
from "cells";

-- 17. ordering the records by what they publish: one row per record
create or replace temporary table "sqlanon_ordered" as
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select
  "recoded"."ordinal" as "ordinal",
  "assigned"."s1" as "s1"
from "sqlanon_assigned" as "assigned"
inner join "sqlanon_recoded" as "recoded"
  on "assigned"."class_id" = "recoded"."class_id"
order by
  "recoded"."ordinal",
  "assigned"."s1";

-- 18. writing the release: one row per record
create or replace temporary table "sqlanon_public" as
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with "representatives" as (
  select
    MIN("recoded"."class_id") as "class_id"
  from "sqlanon_recoded" as "recoded"
  group by
    "recoded"."ordinal"
), "tuples" as (
  select
    "recoded"."ordinal" as "ordinal",
    "recoded"."p1" as "p1"
  from "sqlanon_recoded" as "recoded"
  inner join "representatives"
    on "recoded"."class_id" = "representatives"."class_id"
)
select
  "tuples"."p1" as "age",
  "domain_s1"."value" as "disease"
from "sqlanon_ordered" as "ordered"
inner join "tuples"
  on "ordered"."ordinal" = "tuples"."ordinal"
inner join "sqlanon_domain_s1" as "domain_s1"
  on "ordered"."s1" = "domain_s1"."code"
order by
  "ordered"."ordinal",
  "ordered"."s1";

-- 19. the table as it is read: one row per record of the source
create or replace temporary table "sqlanon_measured" as
select
  "source"."age" as "p1",
  "source"."disease" as "s1"
from "sqlanon_public" as "source";

-- 20. equivalence classes: one row per equivalence class: per distinct published tuple of quasi-identifiers
create or replace temporary table "sqlanon_classes" as
-- Classes as a reader of the release sees them, which may differ from those that the method formed. NULL equals NULL.
select
  CAST(CAST(ROW_NUMBER() over (order by "measured"."p1" NULLS first) as Nullable(Int64)) as Nullable(Int32)) as "class_id",
  CAST(COUNT(*) as Nullable(Int64)) as "records",
  "measured"."p1" as "p1"
from "sqlanon_measured" as "measured"
group by
  "measured"."p1";

-- 21. known values of disease
select toInt32('sensitive.disease: ' || coalesce(cast(found."unknown" as Nullable(String)), '') || ' values, in ' || coalesce(cast(found."records" as Nullable(String)), '') || ' records, are not in the reference table: closeness to it has no meaning') as refused
from (
with "used" as (
  select
    "measured"."s1" as "value",
    CAST(COUNT(*) as Nullable(Int64)) as "records"
  from "sqlanon_measured" as "measured"
  group by
    "measured"."s1"
)
select
  CAST(COUNT(*) as Nullable(Int64)) as "unknown",
  CAST(SUM("used"."records") as Nullable(Int64)) as "records"
from "used"
left join "sqlanon_positions_s1" as "positions"
  on "used"."value" is not distinct from "positions"."value"
  and (
    "positions"."records" > 0
  )
where
  "positions"."code" is NULL
having
  CAST(COUNT(*) as Nullable(Int64)) > 0
) as found;

-- 22. values of disease in each class: one row per equivalence class and sensitive value present in it
create or replace temporary table "sqlanon_class_values_s1" as
-- Narrow columns: this is the largest relation of a measurement.
select
  "classes"."class_id" as "class_id",
  CAST("positions"."code" as Nullable(Int32)) as "code",
  CAST("positions"."position" as Nullable(Int32)) as "position",
  CAST(COUNT(*) as Nullable(Int64)) as "records"
from "sqlanon_measured" as "measured"
inner join "sqlanon_classes" as "classes"
  on "measured"."p1" is not distinct from "classes"."p1"
inner join "sqlanon_positions_s1" as "positions"
  on "measured"."s1" is not distinct from "positions"."value"
  and (
    "positions"."records" > 0
  )
group by
  "classes"."class_id",
  "positions"."code",
  "positions"."position";

-- 23. information loss of each class: one row per equivalence class
create or replace temporary table "sqlanon_class_loss" as
-- The loss of each published cell, 0 for a single value and 1 for the whole domain: the length of an
-- interval over the column's range (of a listed order, from place to place), or the leaves under a
-- node, less one, over all leaves, less one.
-- A centroid does not tell what it loses: that is what a run found, and NULL without one.
-- NULL where a published cell is none of these. Cells are read as text: a table may hold numbers.
with "extents" as (
  select
    1 as "one",
    (
      select
        MIN(CAST("domain"."value" as Nullable(Float64)))
      from "sqlanon_domain_q1" as "domain"
      where
        "domain"."records" > 0
    ) as "q1_first",
    (
      select
        MAX(CAST("domain"."value" as Nullable(Float64)))
      from "sqlanon_domain_q1" as "domain"
      where
        "domain"."records" > 0
    ) as "q1_last"
), "read_cells" /* Every published cell: as text, and the ends of an interval. */ as (
  select
    "classes"."class_id" as "class_id",
    case
      when CAST("classes"."p1" as Nullable(String)) like '[%, _%'
      then CAST(substringUTF8(
        CAST("classes"."p1" as Nullable(String)),
        2,
        positionUTF8(CAST("classes"."p1" as Nullable(String)), ', ') - 2
      ) as Nullable(Float64))
    end as "q1_low",
    case
      when CAST("classes"."p1" as Nullable(String)) like '[%, _%'
      then CAST(substringUTF8(
        CAST("classes"."p1" as Nullable(String)),
        positionUTF8(CAST("classes"."p1" as Nullable(String)), ', ') + 2,
        CHAR_LENGTH(CAST("classes"."p1" as Nullable(String))) - positionUTF8(CAST("classes"."p1" as Nullable(String)), ', ') - 2
      ) as Nullable(Float64))
    end as "q1_high",
    CAST("classes"."p1" as Nullable(String)) as "q1_cell"
  from "sqlanon_classes" as "classes"
), "cells" as (
  select
    "read_cells"."class_id" as "class_id",
    case
      when "read_cells"."q1_cell" is NULL
      then CAST(0.0 as Nullable(Float64))
      when "read_cells"."q1_cell" = '*'
      then CAST(1.0 as Nullable(Float64))
      when "read_cells"."q1_high" = "read_cells"."q1_low"
      then CAST(0.0 as Nullable(Float64))
      when "extents"."q1_last" = "extents"."q1_first"
      then CAST(0.0 as Nullable(Float64))
      when "read_cells"."q1_high" - "read_cells"."q1_low" >= "extents"."q1_last" - "extents"."q1_first"
      then CAST(1.0 as Nullable(Float64))
      when not (
        "read_cells"."q1_high" - "read_cells"."q1_low" is NULL
      )
      then CAST((
        "read_cells"."q1_high" - "read_cells"."q1_low"
      ) as Nullable(Float64)) / (
        "extents"."q1_last" - "extents"."q1_first"
      )
      when not (
        CAST("read_cells"."q1_cell" as Nullable(Float64)) is NULL
      )
      then CAST(0.0 as Nullable(Float64))
    end as "q1_loss"
  from "read_cells"
  cross join "extents"
)
select
  "cells"."class_id" as "class_id",
  (
    SIGN("cells"."q1_loss") * FLOOR(ABS("cells"."q1_loss") * POWER(10, 12) + 0.5) / POWER(10, 12)
  ) as "q1_loss",
  (
    SIGN(CAST((
      1 * "cells"."q1_loss"
    ) as Nullable(Float64)) / 1) * FLOOR(
      ABS(CAST((
        1 * "cells"."q1_loss"
      ) as Nullable(Float64)) / 1) * POWER(10, 12) + 0.5
    ) / POWER(10, 12)
  ) as "loss"
from "cells";

-- 24. class report: one row per equivalence class
create or replace temporary table "sqlanon_public__classes" as
select
  "classes"."class_id" as "class_id",
  "classes"."records" as "records",
  "classes"."p1" as "age",
  "classes"."records" as "k_anonymity",
  "class_loss"."loss" as "information_loss"
from "sqlanon_classes" as "classes"
inner join "sqlanon_class_loss" as "class_loss"
  on "classes"."class_id" = "class_loss"."class_id";

-- 25. metrics: one row per declared model


-- 26. accounting for the records: one row
create or replace temporary table "sqlanon_ledger" as
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with "released" as (
  select
    CAST(COUNT(*) as Nullable(Int64)) as "records"
  from "sqlanon_public"
)
select
  "size"."records" as "records_in",
  "released"."records" as "records_out",
  CAST(0 as Nullable(Int64)) as "records_suppressed"
from "sqlanon_size" as "size"
cross join "released";

-- 27. nothing is published unless all of this holds
select case when count(*) > 0 then toInt32(arrayStringConcat(groupArray(broken.promise), '; ')) end as refused
from (  -- no record lost or invented
    select coalesce(cast(found."records_in" as Nullable(String)), '') || ' records went in and ' || coalesce(cast(found."records_out" as Nullable(String)), '') || ' came out: a fault of sqlanon''s, or the source changed during the run; nothing was published' as promise
    from (
        select
          "ledger"."records_in" as "records_in",
          "ledger"."records_out" as "records_out"
        from "sqlanon_ledger" as "ledger"
        where
          "ledger"."records_in" <> "ledger"."records_out" + "ledger"."records_suppressed"
    ) as found
    union all  -- no sensitive column gives a hidden value back
    select 'a sensitive column gives a quasi-identifier back, whose value then stands in every row although its own cell hides it (copied_share: of how many records), so nothing was published; leave one of the two out, coarsen the sensitive one in the source, or accept it by name with sensitive: {COLUMN: {accept: WHY}}: ' || coalesce(cast(found."attribute" as Nullable(String)), '') || ' (' || coalesce(cast(found."records" as Nullable(String)), '') || ' records)' as promise
    from (
        -- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
        -- of what the cell hides. Whether it is one is seen from which values come together, in different tuples of all
        -- columns: a table that was loaded twice, or records that are alike, prove nothing.
        with "tuples" as (
          select distinct
            "records"."q1" as "q1",
            "records"."s1" as "s1"
          from "sqlanon_records" as "records"
        ), "pairs" /* Every two values of a pair of columns; the other columns are NULL. */ as (
          select
            case when GROUPING("tuples"."s1") = 0 then 0 end + case when GROUPING("tuples"."q1") = 0 then 1 end as "number",
            CAST(CAST(COUNT(*) as Nullable(Int64)) as Nullable(Float64)) as "tuples",
            "tuples"."s1" as "s1",
            "tuples"."q1" as "q1",
            COALESCE(CAST("tuples"."s1" as Nullable(String))) as "held_label",
            COALESCE(CAST("tuples"."q1" as Nullable(String))) as "given_label"
          from "tuples"
          group by
            grouping sets (
              ("tuples"."s1", "tuples"."q1")
            )
        ), "likely" /* The pairs of columns that may be copies: values with nearly one original have a tenth of the tuples, or the */ /* two have the same text. */ as (
          select
            "held"."number" as "number"
          from (
            select
              "pairs"."number" as "number",
              SUM("pairs"."tuples") as "tuples",
              MAX("pairs"."tuples") as "most",
              SUM(
                case
                  when substringUTF8("pairs"."held_label", 1, CHAR_LENGTH("pairs"."given_label")) = "pairs"."given_label"
                  then "pairs"."tuples"
                  else 0
                end
              ) as "same"
            from "pairs"
            group by
              "pairs"."number",
              "pairs"."s1"
          ) as "held"
          group by
            "held"."number"
          having
            10 * SUM(
              case when 20 * "held"."most" >= 19 * "held"."tuples" then "held"."most" else 0 end
            ) > SUM("held"."tuples")
            or 20 * SUM("held"."same") >= 19 * SUM("held"."tuples")
        ), "counted" as (
          select
            "pairs"."number" as "number",
            "pairs"."tuples" as "tuples",
            "pairs"."s1" as "s1",
            "pairs"."q1" as "q1",
            SUM("pairs"."tuples") over (partition by "pairs"."number", "pairs"."s1") as "of_held",
            SUM("pairs"."tuples") over (partition by "pairs"."number", "pairs"."q1") as "of_given",
            SUM("pairs"."tuples") over (partition by "pairs"."number") as "whole",
            case
              when "pairs"."held_label" = "pairs"."given_label"
              or (
                "pairs"."given_label" <> ''
                and substringUTF8("pairs"."held_label", 1, CHAR_LENGTH("pairs"."given_label")) = "pairs"."given_label"
              )
              then "pairs"."tuples"
              else 0
            end as "same"
          from "pairs"
          inner join "likely"
            on "pairs"."number" = "likely"."number"
        ), "telling" /* Values whose tuples nearly all have one original; both by their places in order. */ as (
          select
            "counted"."number" as "number",
            "counted"."tuples" as "tuples",
            "counted"."of_held" as "of_held",
            "counted"."of_given" as "of_given",
            "counted"."whole" as "whole",
            CAST(DENSE_RANK() over (partition by "counted"."number" order by "counted"."s1" NULLS first) as Nullable(Int64)) as "held",
            CAST(DENSE_RANK() over (partition by "counted"."number" order by "counted"."q1" NULLS first) as Nullable(Int64)) as "given"
          from "counted"
          where
            20 * "counted"."tuples" >= 19 * "counted"."of_held"
        ), "copies" /* The same text, or a function. */ as (
          select
            "counted"."number" as "number"
          from "counted"
          group by
            "counted"."number"
          having
            MAX("counted"."whole") - MAX("counted"."of_given") >= 10
            and 20 * (
              MAX("counted"."whole") - SUM("counted"."same")
            ) <= MAX("counted"."whole") - MAX("counted"."of_given")
          UNION distinct
          select
            "telling"."number" as "number"
          from "telling"
          where
            "telling"."of_held" >= 5
            and 1000 * POWER(
              CAST("telling"."of_given" as Nullable(Float64)) / "telling"."whole",
              LEAST("telling"."of_held" - 1, 10)
            ) <= 1
          group by
            "telling"."number"
          having
            CAST(COUNT(distinct "telling"."given") as Nullable(Int64)) >= 5
            and SUM("telling"."tuples") >= 30
            and 10 * SUM("telling"."tuples") > MAX("telling"."whole")
        )
        select
          case "copies"."number" when 1 then 'age by disease' end as "attribute",
          CAST(SUM("classes"."records") as Nullable(Float64)) / MAX("released"."records") as "reached",
          CAST(SUM("classes"."records") as Nullable(Int64)) as "records"
        from "copies"
        cross join (
          select
            SUM("every_class"."records") as "records"
          from "sqlanon_classes" as "every_class"
          inner join "sqlanon_class_loss" as "every_loss"
            on "every_class"."class_id" = "every_loss"."class_id"
        ) as "released"
        cross join "sqlanon_classes" as "classes"
        inner join "sqlanon_class_loss" as "class_loss"
          on "classes"."class_id" = "class_loss"."class_id"
        where
          case "copies"."number" % 1 when 0 then "class_loss"."q1_loss" end > 0
        group by
          "copies"."number"
        order by
          "copies"."number"
    ) as found
    union all  -- every declared model holds
    select 'the release does not reach what the spec asks for, so nothing was published; relax what is violated; a greater k may help: ' || arrayStringConcat(groupArray(coalesce(cast(found."reached" as Nullable(String)), '')), '; ') as promise
    from (
        select
          "metrics"."metric" as "metric",
          "metrics"."attribute" as "attribute",
          "metrics"."threshold" as "threshold",
          "metrics"."value" as "value",
          "metrics"."failing_classes" as "failing_classes",
          "metrics"."failing_records" as "failing_records",
          "metrics"."metric" || COALESCE(' ' || "metrics"."attribute", '') || ': asked for ' || "metrics"."threshold" || ', reached ' || COALESCE(CAST("metrics"."value" as Nullable(String)), 'nothing') || COALESCE(
            '; ' || CAST("metrics"."failing_classes" as Nullable(String)) || ' classes with ' || CAST("metrics"."failing_records" as Nullable(String)) || ' records violate it',
            ''
          ) as "reached"
        from "sqlanon_public__metrics" as "metrics"
        where
          "metrics"."passed" = false
    ) as found having count(*) > 0
) as broken
having count(*) > 0;

-- 28. the content of public: one row
create or replace temporary table "sqlanon_content_of_1" as
-- A certificate's facts about a published table: how many records it has, and a hash of them that
-- no order of the rows changes and every change of a cell does, the same on every engine.
with "texts" as (
  select
    COALESCE(
      replace(
        replace(
          case
            when toTypeName("released"."age") like '%DateTime64%'
            then REGEXP_REPLACE(
              REGEXP_REPLACE(CAST("released"."age" as Nullable(String)), '([.][0-9]*?)0+$', '\\1'),
              '[.]$',
              ''
            )
            when toTypeName("released"."age") like '%Decimal%, 0)%'
            then CAST("released"."age" as Nullable(String))
            when toTypeName("released"."age") like '%Decimal%'
            then case
              when not (
                CAST("released"."age" as Nullable(String)) is NULL
              )
              then splitByString('.', CAST("released"."age" as Nullable(String)))[1]
            end || '.' || rightPadUTF8(
              case
                when not (
                  CAST("released"."age" as Nullable(String)) is NULL
                )
                then splitByString('.', CAST("released"."age" as Nullable(String)))[2]
              end,
              COALESCE(
                CAST(REGEXP_EXTRACT(toTypeName("released"."age"), ', ([0-9]+)', 1) as Nullable(Int32)),
                0
              ),
              '0'
            )
            when toTypeName("released"."age") not like '%Float%'
            or CAST("released"."age" as Nullable(String)) in ('nan', 'inf', '-inf')
            then CAST("released"."age" as Nullable(String))
            when positionUTF8(CAST("released"."age" as Nullable(String)), 'e') > 0
            then REGEXP_REPLACE(
              REGEXP_REPLACE(CAST("released"."age" as Nullable(String)), 'e([0-9])', 'e+\\1'),
              'e([+-])([0-9])$',
              'e\\10\\2'
            )
            when match(CAST("released"."age" as Nullable(String)), '^-?[0-9]{17,}$')
            then REGEXP_REPLACE(
              REGEXP_REPLACE(CAST("released"."age" as Nullable(String)), '^(-?[0-9])([0-9]*?)0*$', '\\1.\\2'),
              '[.]$',
              ''
            ) || 'e+' || CAST(CHAR_LENGTH(replace(CAST("released"."age" as Nullable(String)), '-', '')) - 1 as Nullable(String))
            when match(CAST("released"."age" as Nullable(String)), '^-?0[.]0000')
            then REGEXP_REPLACE(
              REGEXP_REPLACE(
                CAST("released"."age" as Nullable(String)),
                '^(-?)0[.]0+([1-9])([0-9]*)$',
                '\\1\\2.\\3'
              ),
              '[.]$',
              ''
            ) || 'e-0' || CAST(CHAR_LENGTH(REGEXP_EXTRACT(CAST("released"."age" as Nullable(String)), '[.](0+)', 1)) + 1 as Nullable(String))
            when positionUTF8(CAST("released"."age" as Nullable(String)), '.') = 0
            then CAST("released"."age" as Nullable(String)) || '.0'
            else CAST("released"."age" as Nullable(String))
          end,
          '~',
          '~~'
        ),
        '|',
        '~p'
      ),
      '~n'
    ) || '|' || COALESCE(
      replace(
        replace(
          case
            when toTypeName("released"."disease") like '%DateTime64%'
            then REGEXP_REPLACE(
              REGEXP_REPLACE(CAST("released"."disease" as Nullable(String)), '([.][0-9]*?)0+$', '\\1'),
              '[.]$',
              ''
            )
            when toTypeName("released"."disease") like '%Decimal%, 0)%'
            then CAST("released"."disease" as Nullable(String))
            when toTypeName("released"."disease") like '%Decimal%'
            then case
              when not (
                CAST("released"."disease" as Nullable(String)) is NULL
              )
              then splitByString('.', CAST("released"."disease" as Nullable(String)))[1]
            end || '.' || rightPadUTF8(
              case
                when not (
                  CAST("released"."disease" as Nullable(String)) is NULL
                )
                then splitByString('.', CAST("released"."disease" as Nullable(String)))[2]
              end,
              COALESCE(
                CAST(REGEXP_EXTRACT(toTypeName("released"."disease"), ', ([0-9]+)', 1) as Nullable(Int32)),
                0
              ),
              '0'
            )
            when toTypeName("released"."disease") not like '%Float%'
            or CAST("released"."disease" as Nullable(String)) in ('nan', 'inf', '-inf')
            then CAST("released"."disease" as Nullable(String))
            when positionUTF8(CAST("released"."disease" as Nullable(String)), 'e') > 0
            then REGEXP_REPLACE(
              REGEXP_REPLACE(CAST("released"."disease" as Nullable(String)), 'e([0-9])', 'e+\\1'),
              'e([+-])([0-9])$',
              'e\\10\\2'
            )
            when match(CAST("released"."disease" as Nullable(String)), '^-?[0-9]{17,}$')
            then REGEXP_REPLACE(
              REGEXP_REPLACE(CAST("released"."disease" as Nullable(String)), '^(-?[0-9])([0-9]*?)0*$', '\\1.\\2'),
              '[.]$',
              ''
            ) || 'e+' || CAST(CHAR_LENGTH(replace(CAST("released"."disease" as Nullable(String)), '-', '')) - 1 as Nullable(String))
            when match(CAST("released"."disease" as Nullable(String)), '^-?0[.]0000')
            then REGEXP_REPLACE(
              REGEXP_REPLACE(
                CAST("released"."disease" as Nullable(String)),
                '^(-?)0[.]0+([1-9])([0-9]*)$',
                '\\1\\2.\\3'
              ),
              '[.]$',
              ''
            ) || 'e-0' || CAST(CHAR_LENGTH(REGEXP_EXTRACT(CAST("released"."disease" as Nullable(String)), '[.](0+)', 1)) + 1 as Nullable(String))
            when positionUTF8(CAST("released"."disease" as Nullable(String)), '.') = 0
            then CAST("released"."disease" as Nullable(String)) || '.0'
            else CAST("released"."disease" as Nullable(String))
          end,
          '~',
          '~~'
        ),
        '|',
        '~p'
      ),
      '~n'
    ) as "row_text"
  from "sqlanon_public" as "released"
), "parts" as (
  select
    SUM("counted"."records") as "records",
    leftUTF8("counted"."row_hash", 3) || LOWER(
      HEX(
        SHA256(
          arrayStringConcat(
            arrayMap(
              "pair" -> tupleElement("pair", 2),
              arraySort(
                groupArray(
                  tuple(
                    "counted"."row_hash",
                    "counted"."row_hash" || ':' || CAST("counted"."records" as Nullable(String))
                  )
                )
              )
            ),
            ','
          )
        )
      )
    ) as "part_hash"
  from (
    select
      LOWER(HEX(SHA256("texts"."row_text"))) as "row_hash",
      CAST(COUNT(*) as Nullable(Int64)) as "records"
    from "texts"
    group by
      LOWER(HEX(SHA256("texts"."row_text")))
  ) as "counted"
  group by
    leftUTF8("counted"."row_hash", 3)
)
select
  CAST(COALESCE(SUM("parts"."records"), 0) as Nullable(Int64)) as "records",
  LOWER(
    HEX(
      SHA256(
        COALESCE(
          arrayStringConcat(
            arrayMap(
              "pair" -> tupleElement("pair", 2),
              arraySort(groupArray(tuple("parts"."part_hash", "parts"."part_hash")))
            ),
            ','
          ),
          ''
        )
      )
    )
  ) as "content"
from "parts";

-- 29. recording the run: one row per fact about the run


-- Everything holds: the new release replaces the older one.

create or replace table "public" as
select * from "sqlanon_public";
alter table "public" modify comment 'sqlanon release 00000000000000000000000000000000';

create or replace table "public__classes" as
select * from "sqlanon_public__classes";
alter table "public__classes" modify comment 'sqlanon release 00000000000000000000000000000000';

create or replace table "public__metrics" as
select * from "sqlanon_public__metrics";
alter table "public__metrics" modify comment 'sqlanon release 00000000000000000000000000000000';

create or replace table "public__run" as
select * from "sqlanon_public__run";
alter table "public__run" modify comment 'sqlanon release 00000000000000000000000000000000';

-- What was needed until here.
drop table if exists "sqlanon_public__run"; drop table if exists "sqlanon_content_of_1";
drop table if exists "sqlanon_ledger"; drop table if exists "sqlanon_public__metrics";
drop table if exists "sqlanon_public__classes"; drop table if exists "sqlanon_class_loss";
drop table if exists "sqlanon_class_values_s1"; drop table if exists "sqlanon_classes";
drop table if exists "sqlanon_measured"; drop table if exists "sqlanon_public"; drop table if exists "sqlanon_ordered";
drop table if exists "sqlanon_recoded"; drop table if exists "sqlanon_boxes"; drop table if exists "sqlanon_assigned";
drop table if exists "sqlanon_stacked"; drop table if exists "sqlanon_sizes"; drop table if exists "sqlanon_stack";
drop table if exists "sqlanon_coded"; drop table if exists "sqlanon_positions_s1";
drop table if exists "sqlanon_domain_s1"; drop table if exists "sqlanon_values_s1";
drop table if exists "sqlanon_domain_q1"; drop table if exists "sqlanon_values_q1"; drop table if exists "sqlanon_size";
drop table if exists "sqlanon_records";
