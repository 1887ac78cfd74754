-- sqlanon: makes public
--   q1 = age
--   s1 = disease
-- This text was not run on Snowflake, but on fakesnow, an emulator of it: read it before you use it.
-- Each of its statements commits by itself. The release is made and measured as work tables; it
-- takes the place of the older one at the end, table by table. A check that fails ends the
-- script, if the client stops at an error: the older release stays, and nothing is published.
-- With snowsql: -o exit_on_error=true

-- 1. reading the source: one row per record of the source
create or replace temporary view "SQLANON_RECORDS" as
select
  "SOURCE"."AGE" as "Q1",
  "SOURCE"."DISEASE" as "S1"
from "PATIENTS" as "SOURCE";

-- 2. counting the records: one row
create or replace temporary table "SQLANON_SIZE" as
select
  count(*) as "RECORDS"
from "SQLANON_RECORDS";

-- 3. the source has records
select cast('source: it has no records: nothing can be released' || coalesce(left(cast(found."RECORDS" as varchar), 0), '') as integer) as refused
from (
select
  "SIZE"."RECORDS"
from "SQLANON_SIZE" as "SIZE"
where
  "SIZE"."RECORDS" = 0
) as found;

-- 4. there are enough records
select cast('privacy.k: k-anonymity cannot be reached: k is 10, the source has only ' || coalesce(cast(found."RECORDS" as varchar), '') || ' records; lower k' as integer) as refused
from (
select
  "SIZE"."RECORDS"
from "SQLANON_SIZE" as "SIZE"
where
  "SIZE"."RECORDS" < 10
) as found;

-- 5. distinct values of age: one row per distinct value of the attribute, NULL among them
create or replace temporary table "SQLANON_VALUES_Q1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select
  "Q1" as "VALUE",
  cast("Q1" as varchar) as "LABEL",
  count(*) as "RECORDS"
from "SQLANON_RECORDS"
group by
  "Q1";

-- 6. codes of age: one row per distinct value in the data; code 0 is NULL
create or replace temporary table "SQLANON_DOMAIN_Q1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by "VALUES_IN_USE"."VALUE") as "CODE",
  "VALUES_IN_USE"."VALUE",
  "VALUES_IN_USE"."RECORDS",
  "VALUES_IN_USE"."LABEL" as "LEVEL_0"
from "SQLANON_VALUES_Q1" as "VALUES_IN_USE"
where
  not "VALUES_IN_USE"."VALUE" is null
union all
select
  0 as "CODE",
  "VALUES_IN_USE"."VALUE",
  "VALUES_IN_USE"."RECORDS",
  "VALUES_IN_USE"."LABEL" as "LEVEL_0"
from "SQLANON_VALUES_Q1" as "VALUES_IN_USE"
where
  "VALUES_IN_USE"."VALUE" is null;

-- 7. distinct values of disease: one row per distinct value of the attribute, NULL among them
create or replace temporary table "SQLANON_VALUES_S1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select
  "S1" as "VALUE",
  cast("S1" as varchar) as "LABEL",
  count(*) as "RECORDS"
from "SQLANON_RECORDS"
group by
  "S1";

-- 8. codes of disease: one row per distinct value in the data; code 0 is NULL
create or replace temporary table "SQLANON_DOMAIN_S1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by "VALUES_IN_USE"."VALUE") as "CODE",
  "VALUES_IN_USE"."VALUE",
  "VALUES_IN_USE"."RECORDS",
  "VALUES_IN_USE"."LABEL" as "LEVEL_0"
from "SQLANON_VALUES_S1" as "VALUES_IN_USE"
where
  not "VALUES_IN_USE"."VALUE" is null
union all
select
  0 as "CODE",
  "VALUES_IN_USE"."VALUE",
  "VALUES_IN_USE"."RECORDS",
  "VALUES_IN_USE"."LABEL" as "LEVEL_0"
from "SQLANON_VALUES_S1" as "VALUES_IN_USE"
where
  "VALUES_IN_USE"."VALUE" is null;

-- 9. order of disease: one row per value of a sensitive attribute, and per value its declared order adds
create or replace temporary table "SQLANON_POSITIONS_S1" as
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
  "DOMAIN"."CODE",
  "DOMAIN"."VALUE",
  "DOMAIN"."RECORDS",
  row_number() over (order by "DOMAIN"."CODE") as "POSITION"
from "SQLANON_DOMAIN_S1" as "DOMAIN";

-- 10. coding the records: one row per record
create or replace temporary view "SQLANON_CODED" as
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select
  coalesce("DOMAIN_Q1"."CODE", 0) as "Q1",
  coalesce("DOMAIN_S1"."CODE", 0) as "S1"
from "SQLANON_RECORDS" as "RECORDS"
left join "SQLANON_DOMAIN_Q1" as "DOMAIN_Q1"
  on "RECORDS"."Q1" = "DOMAIN_Q1"."VALUE"
left join "SQLANON_DOMAIN_S1" as "DOMAIN_S1"
  on "RECORDS"."S1" = "DOMAIN_S1"."VALUE";

-- 11. stacking the sensitive values: one row per combination of sensitive values in the data
create or replace temporary table "SQLANON_STACK" as
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with "COMBINATIONS" as (
  select
    "RECORDS"."S1" as "VALUE_S1",
    count(*) as "FREQUENCY"
  from "SQLANON_RECORDS" as "RECORDS"
  group by
    "RECORDS"."S1"
), "CELLS" as (
  select
    "POSITIONS_S1"."CODE" as "S1",
    "POSITIONS_S1"."POSITION" - 1 as "PLACE_S1",
    "COMBINATIONS"."FREQUENCY"
  from "COMBINATIONS"
  inner join "SQLANON_POSITIONS_S1" as "POSITIONS_S1"
    on "COMBINATIONS"."VALUE_S1" is not distinct from "POSITIONS_S1"."VALUE"
    and /* A value that no record has, which a declared order adds, is NULL here too. */ "POSITIONS_S1"."RECORDS" > 0
), "BLOCKS" as (
  select
    "CELLS"."S1",
    "CELLS"."FREQUENCY",
    row_number() over (order by "CELLS"."FREQUENCY" desc nulls last, "CELLS"."S1" desc nulls last) - 1 as "BLOCK"
  from "CELLS"
)
select
  "BLOCKS"."S1",
  "BLOCKS"."FREQUENCY",
  "BLOCKS"."BLOCK",
  cast(sum("BLOCKS"."FREQUENCY") over (order by "BLOCKS"."BLOCK" rows between unbounded preceding and current row) - "BLOCKS"."FREQUENCY" as bigint) as "START"
from "BLOCKS";

-- 12. counting the classes: one row
create or replace temporary table "SQLANON_SIZES" as
with "COUNTED" as (
  select
    cast(sum("STACK"."FREQUENCY") as bigint) as "RECORDS"
  from "SQLANON_STACK" as "STACK"
)
select
  "COUNTED"."RECORDS",
  cast((
    "COUNTED"."RECORDS" - "COUNTED"."RECORDS" % 10
  ) / 10 as bigint) as "CLASSES"
from "COUNTED";

-- 13. stacking the records: one row per record
create or replace temporary table "SQLANON_STACKED" as
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Numbered block by block, because a
-- single window over all records would sort them on one thread.
with "DIGESTED" as (
  select
    "CODED"."Q1",
    "CODED"."S1",
    (
      cast(0 as bigint) * 48271 + "CODED"."Q1"
    ) % 2147483647 as "DIGEST"
  from "SQLANON_CODED" as "CODED"
), "SHUFFLED" as (
  select
    "DIGESTED"."Q1",
    "DIGESTED"."S1",
    (
      "DIGESTED"."DIGEST" * "DIGESTED"."DIGEST" % 2147483647
    ) * (
      "DIGESTED"."DIGEST" * "DIGESTED"."DIGEST" % 2147483647
    ) % 2147483647 * "DIGESTED"."DIGEST" % 2147483647 as "SHUFFLE"
  from "DIGESTED"
)
select
  "SHUFFLED"."Q1",
  "SHUFFLED"."S1",
  "STACK"."START" + row_number() over (partition by "SHUFFLED"."S1" order by "SHUFFLED"."SHUFFLE", "SHUFFLED"."Q1") - 1 as "POSITION"
from "SHUFFLED"
inner join "SQLANON_STACK" as "STACK"
  on "SHUFFLED"."S1" = "STACK"."S1";

-- 14. dealing the records into classes: one row per record
create or replace temporary view "SQLANON_ASSIGNED" as
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
select
  "STACKED"."POSITION" % "SIZES"."CLASSES" as "CLASS_ID",
  "STACKED"."Q1",
  "STACKED"."S1"
from "SQLANON_STACKED" as "STACKED"
cross join "SQLANON_SIZES" as "SIZES";

-- 15. the extent of every class: one row per class as formed
create or replace temporary table "SQLANON_BOXES" as
-- The smallest and the largest code of every quasi-identifier in the class.
select
  "ASSIGNED"."CLASS_ID",
  count(*) as "RECORDS",
  min("ASSIGNED"."Q1") as "Q1_LOW",
  max("ASSIGNED"."Q1") as "Q1_HIGH"
from "SQLANON_ASSIGNED" as "ASSIGNED"
group by
  "ASSIGNED"."CLASS_ID";

-- 16. what every class publishes: one row per class as formed
create or replace temporary table "SQLANON_RECODED" as
-- The cells that are published in place of each quasi-identifier, the same for every record of the
-- class. The ordinal orders the classes by what they publish and by nothing else. So the release
-- can be written in an order that tells no more than its cells do.
with "CELLS" as (
  select
    "BOXES"."CLASS_ID",
    case
      when "BOXES"."Q1_LOW" = "BOXES"."Q1_HIGH"
      then "LOW_Q1"."LEVEL_0"
      when "BOXES"."Q1_LOW" = 0
      then '*'
      else '[' || "LOW_Q1"."LEVEL_0" || ', ' || "HIGH_Q1"."LEVEL_0" || ']'
    end as "P1"
  from "SQLANON_BOXES" as "BOXES"
  inner join "SQLANON_DOMAIN_Q1" as "LOW_Q1"
    on "BOXES"."Q1_LOW" = "LOW_Q1"."CODE"
  inner join "SQLANON_DOMAIN_Q1" as "HIGH_Q1"
    on "BOXES"."Q1_HIGH" = "HIGH_Q1"."CODE"
)
select
  "CELLS"."CLASS_ID",
  "CELLS"."P1",
  cast(dense_rank() over (order by "CELLS"."P1" nulls first) as int) as "ORDINAL"
from "CELLS";

-- 17. ordering the records by what they publish: one row per record
create or replace temporary table "SQLANON_ORDERED" as
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select
  "RECODED"."ORDINAL",
  "ASSIGNED"."S1"
from "SQLANON_ASSIGNED" as "ASSIGNED"
inner join "SQLANON_RECODED" as "RECODED"
  on "ASSIGNED"."CLASS_ID" = "RECODED"."CLASS_ID"
order by
  "RECODED"."ORDINAL",
  "ASSIGNED"."S1";

-- 18. writing the release: one row per record
create or replace temporary table "SQLANON_PUBLIC" as
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with "REPRESENTATIVES" as (
  select
    min("RECODED"."CLASS_ID") as "CLASS_ID"
  from "SQLANON_RECODED" as "RECODED"
  group by
    "RECODED"."ORDINAL"
), "TUPLES" as (
  select
    "RECODED"."ORDINAL",
    "RECODED"."P1"
  from "SQLANON_RECODED" as "RECODED"
  inner join "REPRESENTATIVES"
    on "RECODED"."CLASS_ID" = "REPRESENTATIVES"."CLASS_ID"
)
select
  "TUPLES"."P1" as "AGE",
  "DOMAIN_S1"."VALUE" as "DISEASE"
from "SQLANON_ORDERED" as "ORDERED"
inner join "TUPLES"
  on "ORDERED"."ORDINAL" = "TUPLES"."ORDINAL"
inner join "SQLANON_DOMAIN_S1" as "DOMAIN_S1"
  on "ORDERED"."S1" = "DOMAIN_S1"."CODE"
order by
  "ORDERED"."ORDINAL",
  "ORDERED"."S1";

-- 19. the table as it is read: one row per record of the source
create or replace temporary view "SQLANON_MEASURED" as
select
  "SOURCE"."AGE" as "P1",
  "SOURCE"."DISEASE" as "S1"
from "SQLANON_PUBLIC" as "SOURCE";

-- 20. equivalence classes: one row per equivalence class: per distinct published tuple of quasi-identifiers
create or replace temporary table "SQLANON_CLASSES" as
-- Classes as a reader of the release sees them, which may differ from those that the method formed. NULL equals NULL.
select
  cast(row_number() over (order by "MEASURED"."P1" nulls first) as int) as "CLASS_ID",
  count(*) as "RECORDS",
  "MEASURED"."P1"
from "SQLANON_MEASURED" as "MEASURED"
group by
  "MEASURED"."P1";

-- 21. known values of disease
select cast('sensitive.disease: ' || coalesce(cast(found."UNKNOWN" as varchar), '') || ' values, in ' || coalesce(cast(found."RECORDS" as varchar), '') || ' records, are not in the reference table: closeness to it has no meaning' as integer) as refused
from (
with "USED" as (
  select
    "MEASURED"."S1" as "VALUE",
    count(*) as "RECORDS"
  from "SQLANON_MEASURED" as "MEASURED"
  group by
    "MEASURED"."S1"
)
select
  count(*) as "UNKNOWN",
  cast(sum("USED"."RECORDS") as bigint) as "RECORDS"
from "USED"
left join "SQLANON_POSITIONS_S1" as "POSITIONS"
  on "USED"."VALUE" is not distinct from "POSITIONS"."VALUE"
  and (
    "POSITIONS"."RECORDS" > 0
  )
where
  "POSITIONS"."CODE" is null
having
  count(*) > 0
) as found;

-- 22. values of disease in each class: one row per equivalence class and sensitive value present in it
create or replace temporary table "SQLANON_CLASS_VALUES_S1" as
-- Narrow columns: this is the largest relation of a measurement.
select
  "CLASSES"."CLASS_ID",
  cast("POSITIONS"."CODE" as int) as "CODE",
  cast("POSITIONS"."POSITION" as int) as "POSITION",
  count(*) as "RECORDS"
from "SQLANON_MEASURED" as "MEASURED"
inner join "SQLANON_CLASSES" as "CLASSES"
  on "MEASURED"."P1" is not distinct from "CLASSES"."P1"
inner join "SQLANON_POSITIONS_S1" as "POSITIONS"
  on "MEASURED"."S1" is not distinct from "POSITIONS"."VALUE"
  and (
    "POSITIONS"."RECORDS" > 0
  )
group by
  "CLASSES"."CLASS_ID",
  "POSITIONS"."CODE",
  "POSITIONS"."POSITION";

-- 23. information loss of each class: one row per equivalence class
create or replace temporary table "SQLANON_CLASS_LOSS" as
-- The loss of each published cell, 0 for a single value and 1 for the whole domain: the length of an
-- interval over the column's range (of a listed order, from place to place), or the leaves under a
-- node, less one, over all leaves, less one.
-- A centroid does not tell what it loses: that is what a run found, and NULL without one.
-- NULL where a published cell is none of these. Cells are read as text: a table may hold numbers.
with "EXTENTS" as (
  select
    1 as "ONE",
    (
      select
        min(cast("DOMAIN"."VALUE" as double))
      from "SQLANON_DOMAIN_Q1" as "DOMAIN"
      where
        "DOMAIN"."RECORDS" > 0
    ) as "Q1_FIRST",
    (
      select
        max(cast("DOMAIN"."VALUE" as double))
      from "SQLANON_DOMAIN_Q1" as "DOMAIN"
      where
        "DOMAIN"."RECORDS" > 0
    ) as "Q1_LAST"
), "READ_CELLS" /* Every published cell: as text, and the ends of an interval. */ as (
  select
    "CLASSES"."CLASS_ID",
    case
      when cast("CLASSES"."P1" as varchar) like '[%, _%'
      then try_cast(substring(
        cast("CLASSES"."P1" as varchar),
        2,
        charindex(', ', cast("CLASSES"."P1" as varchar)) - 2
      ) as double)
    end as "Q1_LOW",
    case
      when cast("CLASSES"."P1" as varchar) like '[%, _%'
      then try_cast(substring(
        cast("CLASSES"."P1" as varchar),
        charindex(', ', cast("CLASSES"."P1" as varchar)) + 2,
        length(cast("CLASSES"."P1" as varchar)) - charindex(', ', cast("CLASSES"."P1" as varchar)) - 2
      ) as double)
    end as "Q1_HIGH",
    cast("CLASSES"."P1" as varchar) as "Q1_CELL"
  from "SQLANON_CLASSES" as "CLASSES"
), "CELLS" as (
  select
    "READ_CELLS"."CLASS_ID",
    case
      when "READ_CELLS"."Q1_CELL" is null
      then 0.0
      when "READ_CELLS"."Q1_CELL" = '*'
      then 1.0
      when "READ_CELLS"."Q1_HIGH" = "READ_CELLS"."Q1_LOW"
      then 0.0
      when "EXTENTS"."Q1_LAST" = "EXTENTS"."Q1_FIRST"
      then 0.0
      when "READ_CELLS"."Q1_HIGH" - "READ_CELLS"."Q1_LOW" >= "EXTENTS"."Q1_LAST" - "EXTENTS"."Q1_FIRST"
      then 1.0
      when not "READ_CELLS"."Q1_HIGH" - "READ_CELLS"."Q1_LOW" is null
      then cast((
        "READ_CELLS"."Q1_HIGH" - "READ_CELLS"."Q1_LOW"
      ) as double) / (
        "EXTENTS"."Q1_LAST" - "EXTENTS"."Q1_FIRST"
      )
      when not cast("READ_CELLS"."Q1_CELL" as double) is null
      then 0.0
    end as "Q1_LOSS"
  from "READ_CELLS"
  cross join "EXTENTS"
)
select
  "CELLS"."CLASS_ID",
  round("CELLS"."Q1_LOSS", 12) as "Q1_LOSS",
  round(cast((
    1 * "CELLS"."Q1_LOSS"
  ) as double) / 1, 12) as "LOSS"
from "CELLS";

-- 24. class report: one row per equivalence class
create or replace temporary table "SQLANON_PUBLIC__CLASSES" as
select
  "CLASSES"."CLASS_ID",
  "CLASSES"."RECORDS",
  "CLASSES"."P1" as "AGE",
  "CLASSES"."RECORDS" as "K_ANONYMITY",
  "CLASS_LOSS"."LOSS" as "INFORMATION_LOSS"
from "SQLANON_CLASSES" as "CLASSES"
inner join "SQLANON_CLASS_LOSS" as "CLASS_LOSS"
  on "CLASSES"."CLASS_ID" = "CLASS_LOSS"."CLASS_ID";

-- 25. metrics: one row per declared model


-- 26. accounting for the records: one row
create or replace temporary table "SQLANON_LEDGER" as
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with "RELEASED" as (
  select
    count(*) as "RECORDS"
  from "SQLANON_PUBLIC"
)
select
  "SIZE"."RECORDS" as "RECORDS_IN",
  "RELEASED"."RECORDS" as "RECORDS_OUT",
  cast(0 as bigint) as "RECORDS_SUPPRESSED"
from "SQLANON_SIZE" as "SIZE"
cross join "RELEASED";

-- 27. nothing is published unless all of this holds
select case when count(*) > 0 then cast(nullif(listagg(broken.promise, '; '), '') as integer) end as refused
from (  -- no record lost or invented
select coalesce(cast(found."RECORDS_IN" as varchar), '') || ' records went in and ' || coalesce(cast(found."RECORDS_OUT" as varchar), '') || ' came out: a fault of sqlanon\'s, or the source changed during the run; nothing was published' as promise
from (
    select
      "LEDGER"."RECORDS_IN",
      "LEDGER"."RECORDS_OUT"
    from "SQLANON_LEDGER" as "LEDGER"
    where
      "LEDGER"."RECORDS_IN" <> "LEDGER"."RECORDS_OUT" + "LEDGER"."RECORDS_SUPPRESSED"
) as found
union all  -- no sensitive column gives a hidden value back
select 'a sensitive column gives a quasi-identifier back, whose value then stands in every row although its own cell hides it (copied_share: of how many records), so nothing was published; leave one of the two out, coarsen the sensitive one in the source, or accept it by name with sensitive: {COLUMN: {accept: WHY}}: ' || coalesce(cast(found."ATTRIBUTE" as varchar), '') || ' (' || coalesce(cast(found."RECORDS" as varchar), '') || ' records)' as promise
from (
    -- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
    -- of what the cell hides. Whether it is one is seen from which values come together, in different tuples of all
    -- columns: a table that was loaded twice, or records that are alike, prove nothing.
    with "TUPLES" as (
      select distinct
        "RECORDS"."Q1",
        "RECORDS"."S1"
      from "SQLANON_RECORDS" as "RECORDS"
    ), "PAIRS" /* Every two values of a pair of columns; the other columns are NULL. */ as (
      select
        case when grouping("TUPLES"."S1") = 0 then 0 end + case when grouping("TUPLES"."Q1") = 0 then 1 end as "NUMBER",
        cast(count(*) as double) as "TUPLES",
        "TUPLES"."S1",
        "TUPLES"."Q1",
        coalesce(cast("TUPLES"."S1" as varchar)) as "HELD_LABEL",
        coalesce(cast("TUPLES"."Q1" as varchar)) as "GIVEN_LABEL"
      from "TUPLES"
      group by
        grouping sets (
          ("TUPLES"."S1", "TUPLES"."Q1")
        )
    ), "LIKELY" /* The pairs of columns that may be copies: values with nearly one original have a tenth of the tuples, or the */ /* two have the same text. */ as (
      select
        "HELD"."NUMBER"
      from (
        select
          "PAIRS"."NUMBER",
          sum("PAIRS"."TUPLES") as "TUPLES",
          max("PAIRS"."TUPLES") as "MOST",
          sum(
            case
              when substring("PAIRS"."HELD_LABEL", 1, length("PAIRS"."GIVEN_LABEL")) = "PAIRS"."GIVEN_LABEL"
              then "PAIRS"."TUPLES"
              else 0
            end
          ) as "SAME"
        from "PAIRS"
        group by
          "PAIRS"."NUMBER",
          "PAIRS"."S1"
      ) as "HELD"
      group by
        "HELD"."NUMBER"
      having
        10 * sum(
          case when 20 * "HELD"."MOST" >= 19 * "HELD"."TUPLES" then "HELD"."MOST" else 0 end
        ) > sum("HELD"."TUPLES")
        or 20 * sum("HELD"."SAME") >= 19 * sum("HELD"."TUPLES")
    ), "COUNTED" as (
      select
        "PAIRS"."NUMBER",
        "PAIRS"."TUPLES",
        "PAIRS"."S1",
        "PAIRS"."Q1",
        sum("PAIRS"."TUPLES") over (partition by "PAIRS"."NUMBER", "PAIRS"."S1") as "OF_HELD",
        sum("PAIRS"."TUPLES") over (partition by "PAIRS"."NUMBER", "PAIRS"."Q1") as "OF_GIVEN",
        sum("PAIRS"."TUPLES") over (partition by "PAIRS"."NUMBER") as "WHOLE",
        case
          when "PAIRS"."HELD_LABEL" = "PAIRS"."GIVEN_LABEL"
          or (
            "PAIRS"."GIVEN_LABEL" <> ''
            and substring("PAIRS"."HELD_LABEL", 1, length("PAIRS"."GIVEN_LABEL")) = "PAIRS"."GIVEN_LABEL"
          )
          then "PAIRS"."TUPLES"
          else 0
        end as "SAME"
      from "PAIRS"
      inner join "LIKELY"
        on "PAIRS"."NUMBER" = "LIKELY"."NUMBER"
    ), "TELLING" /* Values whose tuples nearly all have one original; both by their places in order. */ as (
      select
        "COUNTED"."NUMBER",
        "COUNTED"."TUPLES",
        "COUNTED"."OF_HELD",
        "COUNTED"."OF_GIVEN",
        "COUNTED"."WHOLE",
        dense_rank() over (partition by "COUNTED"."NUMBER" order by "COUNTED"."S1" nulls first) as "HELD",
        dense_rank() over (partition by "COUNTED"."NUMBER" order by "COUNTED"."Q1" nulls first) as "GIVEN"
      from "COUNTED"
      where
        20 * "COUNTED"."TUPLES" >= 19 * "COUNTED"."OF_HELD"
    ), "COPIES" /* The same text, or a function. */ as (
      select
        "COUNTED"."NUMBER"
      from "COUNTED"
      group by
        "COUNTED"."NUMBER"
      having
        max("COUNTED"."WHOLE") - max("COUNTED"."OF_GIVEN") >= 10
        and 20 * (
          max("COUNTED"."WHOLE") - sum("COUNTED"."SAME")
        ) <= max("COUNTED"."WHOLE") - max("COUNTED"."OF_GIVEN")
      union
      select
        "TELLING"."NUMBER"
      from "TELLING"
      where
        "TELLING"."OF_HELD" >= 5
        and 1000 * power(
          cast("TELLING"."OF_GIVEN" as double) / "TELLING"."WHOLE",
          least_ignore_nulls("TELLING"."OF_HELD" - 1, 10)
        ) <= 1
      group by
        "TELLING"."NUMBER"
      having
        count(distinct "TELLING"."GIVEN") >= 5
        and sum("TELLING"."TUPLES") >= 30
        and 10 * sum("TELLING"."TUPLES") > max("TELLING"."WHOLE")
    )
    select
      case "COPIES"."NUMBER" when 1 then 'age by disease' end as "ATTRIBUTE",
      cast(sum("CLASSES"."RECORDS") as double) / max("RELEASED"."RECORDS") as "REACHED",
      cast(sum("CLASSES"."RECORDS") as bigint) as "RECORDS"
    from "COPIES"
    cross join (
      select
        sum("EVERY_CLASS"."RECORDS") as "RECORDS"
      from "SQLANON_CLASSES" as "EVERY_CLASS"
      inner join "SQLANON_CLASS_LOSS" as "EVERY_LOSS"
        on "EVERY_CLASS"."CLASS_ID" = "EVERY_LOSS"."CLASS_ID"
    ) as "RELEASED"
    cross join "SQLANON_CLASSES" as "CLASSES"
    inner join "SQLANON_CLASS_LOSS" as "CLASS_LOSS"
      on "CLASSES"."CLASS_ID" = "CLASS_LOSS"."CLASS_ID"
    where
      case "COPIES"."NUMBER" % 1 when 0 then "CLASS_LOSS"."Q1_LOSS" end > 0
    group by
      "COPIES"."NUMBER"
    order by
      "COPIES"."NUMBER"
) as found
union all  -- every declared model holds
select 'the release does not reach what the spec asks for, so nothing was published; relax what is violated; a greater k may help: ' || nullif(listagg(coalesce(cast(found."REACHED" as varchar), ''), '; '), '') as promise
from (
    select
      "METRICS"."METRIC",
      "METRICS"."ATTRIBUTE",
      "METRICS"."THRESHOLD",
      "METRICS"."VALUE",
      "METRICS"."FAILING_CLASSES",
      "METRICS"."FAILING_RECORDS",
      "METRICS"."METRIC" || coalesce(' ' || "METRICS"."ATTRIBUTE", '') || ': asked for ' || "METRICS"."THRESHOLD" || ', reached ' || coalesce(cast("METRICS"."VALUE" as varchar), 'nothing') || coalesce(
        '; ' || cast("METRICS"."FAILING_CLASSES" as varchar) || ' classes with ' || cast("METRICS"."FAILING_RECORDS" as varchar) || ' records violate it',
        ''
      ) as "REACHED"
    from "SQLANON_PUBLIC__METRICS" as "METRICS"
    where
      "METRICS"."PASSED" = false
) as found having count(*) > 0
) as broken
having count(*) > 0;

-- 28. the content of public: one row
create or replace temporary table "SQLANON_CONTENT_OF_1" as
-- A certificate's facts about a published table: how many records it has, and a hash of them that
-- no order of the rows changes and every change of a cell does, the same on every engine.
with "TEXTS" as (
  select
    coalesce(replace(replace(cast("RELEASED"."AGE" as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(
      replace(replace(cast("RELEASED"."DISEASE" as varchar), '~', '~~'), '|', '~p'),
      '~n'
    ) as "ROW_TEXT"
  from "SQLANON_PUBLIC" as "RELEASED"
), "PARTS" as (
  select
    sum("COUNTED"."RECORDS") as "RECORDS",
    left("COUNTED"."ROW_HASH", 3) || sha2(
      listagg("COUNTED"."ROW_HASH" || ':' || cast("COUNTED"."RECORDS" as varchar), ',') within group (order by
        "COUNTED"."ROW_HASH"),
      256
    ) as "PART_HASH"
  from (
    select
      sha2("TEXTS"."ROW_TEXT", 256) as "ROW_HASH",
      count(*) as "RECORDS"
    from "TEXTS"
    group by
      sha2("TEXTS"."ROW_TEXT", 256)
  ) as "COUNTED"
  group by
    left("COUNTED"."ROW_HASH", 3)
)
select
  cast(coalesce(sum("PARTS"."RECORDS"), 0) as bigint) as "RECORDS",
  sha2(
    coalesce(
      listagg("PARTS"."PART_HASH", ',') within group (order by
        "PARTS"."PART_HASH"),
      ''
    ),
    256
  ) as "CONTENT"
from "PARTS";

-- 29. recording the run: one row per fact about the run


-- Everything holds: the new release replaces the older one.

create or replace table "PUBLIC" as
select * from "SQLANON_PUBLIC";
comment on table "PUBLIC" is 'sqlanon release 00000000000000000000000000000000';

create or replace table "PUBLIC__CLASSES" as
select * from "SQLANON_PUBLIC__CLASSES";
comment on table "PUBLIC__CLASSES" is 'sqlanon release 00000000000000000000000000000000';

create or replace table "PUBLIC__METRICS" as
select * from "SQLANON_PUBLIC__METRICS";
comment on table "PUBLIC__METRICS" is 'sqlanon release 00000000000000000000000000000000';

create or replace table "PUBLIC__RUN" as
select * from "SQLANON_PUBLIC__RUN";
comment on table "PUBLIC__RUN" is 'sqlanon release 00000000000000000000000000000000';

-- What was needed until here.
drop table if exists "SQLANON_PUBLIC__RUN"; drop table if exists "SQLANON_CONTENT_OF_1";
drop table if exists "SQLANON_LEDGER"; drop table if exists "SQLANON_PUBLIC__METRICS";
drop table if exists "SQLANON_PUBLIC__CLASSES"; drop table if exists "SQLANON_CLASS_LOSS";
drop table if exists "SQLANON_CLASS_VALUES_S1"; drop table if exists "SQLANON_CLASSES";
drop view if exists "SQLANON_MEASURED"; drop table if exists "SQLANON_PUBLIC"; drop table if exists "SQLANON_ORDERED";
drop table if exists "SQLANON_RECODED"; drop table if exists "SQLANON_BOXES"; drop view if exists "SQLANON_ASSIGNED";
drop table if exists "SQLANON_STACKED"; drop table if exists "SQLANON_SIZES"; drop table if exists "SQLANON_STACK";
drop view if exists "SQLANON_CODED"; drop table if exists "SQLANON_POSITIONS_S1";
drop table if exists "SQLANON_DOMAIN_S1"; drop table if exists "SQLANON_VALUES_S1";
drop table if exists "SQLANON_DOMAIN_Q1"; drop table if exists "SQLANON_VALUES_Q1"; drop table if exists "SQLANON_SIZE";
drop view if exists "SQLANON_RECORDS";
