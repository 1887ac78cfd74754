-- sqlanon: makes public
--   q1 = age
--   s1 = disease
-- Run it with: psql -v ON_ERROR_STOP=1 -f FILE

begin isolation level repeatable read;

set local client_encoding = 'UTF8';
set local standard_conforming_strings = 'on';
set local datestyle = 'ISO, YMD';
set local intervalstyle = 'postgres';
set local timezone = 'UTC';
set local extra_float_digits = '1';
set local bytea_output = 'hex';
set local array_nulls = 'on';
set local transform_null_equals = 'off';
set local quote_all_identifiers = 'off';
set local client_min_messages = warning;
set local row_security = off;
set local enable_nestloop = off;
set local jit = off;

-- What makes a check fail.
create or replace function pg_temp.refuse(message text) returns void
language plpgsql as 'begin raise exception using message = message; end';

-- Nothing stands in for what is made, read or called here.
select pg_catalog.set_config('sqlanon.path', pg_catalog.current_setting('search_path'), true);
select pg_catalog.set_config(
    'sqlanon.schemas', cast(pg_catalog.current_schemas(false) as text), true
);
set local search_path = pg_catalog, pg_temp;
select pg_temp.refuse(
    concat(found.what, ' of your own has the name of one of the server''s: drop or rename it')
) as refused
from (
    select concat('the function ', proname) as what, pronamespace as place, oid
    from pg_proc
    where proname in (select proname from pg_proc where pronamespace = cast('pg_catalog' as regnamespace))
    union all
    select concat('the operator ', oprname), oprnamespace, oid
    from pg_operator
    where oprname in (select oprname from pg_operator where oprnamespace = cast('pg_catalog' as regnamespace))
) as found
where
    found.place in (
        select oid
        from pg_namespace
        where nspname = any(cast(current_setting('sqlanon.schemas') as name[]))
    )
    and found.place <> cast('pg_catalog' as regnamespace)
    and found.oid not in (select objid from pg_depend where deptype = 'e');
select set_config(
    'search_path', concat(current_setting('sqlanon.path'), ', pg_temp'), true
);
select pg_temp.refuse('standard_conforming_strings must be on') as refused
where pg_catalog.length('\\') operator(pg_catalog.<>) 2;

-- 1. reading the source: one row per record of the source
create temporary view "pg_temp"."sqlanon_records" as
select source."age" as q1, cast(source."disease" as text) collate "C" as s1 from "patients" as source;

-- 2. counting the records: one row
create temporary table "pg_temp"."sqlanon_size" as
select
  count(*) as "records"
from "pg_temp"."sqlanon_records";
analyze "pg_temp"."sqlanon_size";

-- 3. the source has records
select pg_temp.refuse('source: it has no records: nothing can be released') as refused
from (
select
  "size"."records"
from "pg_temp"."sqlanon_size" as "size"
where
  "size"."records" = 0
) as found;

-- 4. there are enough records
select pg_temp.refuse('privacy.k: k-anonymity cannot be reached: k is 10, the source has only ' || coalesce(cast(found."records" as text), '') || ' records; lower k') as refused
from (
select
  "size"."records"
from "pg_temp"."sqlanon_size" as "size"
where
  "size"."records" < 10
) as found;

-- 5. distinct values of age: one row per distinct value of the attribute, NULL among them
create temporary table "pg_temp"."sqlanon_values_q1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one,
-- and 1.0 and 1.00, are different values where the value is published as it is. Elsewhere they are
-- the same value, written in the way that is first as text, zero without a sign.
with counted as (
    select records.q1 as value,
        count(*) as records
    from "pg_temp"."sqlanon_records" as records
    group by records.q1
),
labelled as (
    select
        counted.value,
        case
            when pg_typeof(counted.value) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(counted.value as text)
            when cast(counted.value as text) = 'NaN' then 'nan'
            when cast(counted.value as text) = 'Infinity' then 'inf'
            when cast(counted.value as text) = '-Infinity' then '-inf'
            when cast(counted.value as text) in ('0', '-0') then cast(counted.value as text) || '.0'
            when
                abs(cast(cast(counted.value as text) as numeric)) < 0.0001
                or abs(cast(cast(counted.value as text) as numeric)) >= 10000000000000000
                then cast(counted.value as text)
            when strpos(cast(cast(cast(counted.value as text) as numeric) as text), '.') > 0
                then cast(cast(cast(counted.value as text) as numeric) as text)
            else cast(cast(cast(counted.value as text) as numeric) as text) || '.0'
        end collate "C" as label,
        counted.records
    from counted
)
select labelled.value,
    labelled.label,
    labelled.records
from labelled;
analyze "pg_temp"."sqlanon_values_q1";

-- 6. codes of age: one row per distinct value in the data; code 0 is NULL
create temporary table "pg_temp"."sqlanon_domain_q1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by "values_in_use"."value") as "code",
  "values_in_use"."value",
  "values_in_use"."records",
  "values_in_use"."label" as "level_0"
from "pg_temp"."sqlanon_values_q1" as "values_in_use"
where
  not "values_in_use"."value" is null
union all
select
  0 as "code",
  "values_in_use"."value",
  "values_in_use"."records",
  "values_in_use"."label" as "level_0"
from "pg_temp"."sqlanon_values_q1" as "values_in_use"
where
  "values_in_use"."value" is null;
analyze "pg_temp"."sqlanon_domain_q1";

-- 7. distinct values of disease: one row per distinct value of the attribute, NULL among them
create temporary table "pg_temp"."sqlanon_values_s1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one,
-- and 1.0 and 1.00, are different values where the value is published as it is. Elsewhere they are
-- the same value, written in the way that is first as text, zero without a sign.
with counted as (
    select records.s1 as value,
        count(*) as records
    from "pg_temp"."sqlanon_records" as records
    group by records.s1
),
labelled as (
    select
        counted.value,
        case
            when pg_typeof(counted.value) not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(counted.value as text)
            when cast(counted.value as text) = 'NaN' then 'nan'
            when cast(counted.value as text) = 'Infinity' then 'inf'
            when cast(counted.value as text) = '-Infinity' then '-inf'
            when cast(counted.value as text) in ('0', '-0') then cast(counted.value as text) || '.0'
            when
                abs(cast(cast(counted.value as text) as numeric)) < 0.0001
                or abs(cast(cast(counted.value as text) as numeric)) >= 10000000000000000
                then cast(counted.value as text)
            when strpos(cast(cast(cast(counted.value as text) as numeric) as text), '.') > 0
                then cast(cast(cast(counted.value as text) as numeric) as text)
            else cast(cast(cast(counted.value as text) as numeric) as text) || '.0'
        end collate "C" as label,
        counted.records
    from counted
)
select labelled.value,
    labelled.label,
    labelled.records
from labelled;
analyze "pg_temp"."sqlanon_values_s1";

-- 8. codes of disease: one row per distinct value in the data; code 0 is NULL
create temporary table "pg_temp"."sqlanon_domain_s1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
  row_number() over (order by "values_in_use"."value") as "code",
  "values_in_use"."value",
  "values_in_use"."records",
  "values_in_use"."label" as "level_0"
from "pg_temp"."sqlanon_values_s1" as "values_in_use"
where
  not "values_in_use"."value" is null
union all
select
  0 as "code",
  "values_in_use"."value",
  "values_in_use"."records",
  "values_in_use"."label" as "level_0"
from "pg_temp"."sqlanon_values_s1" as "values_in_use"
where
  "values_in_use"."value" is null;
analyze "pg_temp"."sqlanon_domain_s1";

-- 9. order of disease: one row per value of a sensitive attribute, and per value its declared order adds
create temporary table "pg_temp"."sqlanon_positions_s1" as
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
  "domain"."code",
  "domain"."value",
  "domain"."records",
  row_number() over (order by "domain"."code") as "position"
from "pg_temp"."sqlanon_domain_s1" as "domain";
analyze "pg_temp"."sqlanon_positions_s1";

-- 10. coding the records: one row per record
create temporary view "pg_temp"."sqlanon_coded" as
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select
  coalesce("domain_q1"."code", 0) as "q1",
  coalesce("domain_s1"."code", 0) as "s1"
from "pg_temp"."sqlanon_records" as "records"
left join "pg_temp"."sqlanon_domain_q1" as "domain_q1"
  on "records"."q1" = "domain_q1"."value"
left join "pg_temp"."sqlanon_domain_s1" as "domain_s1"
  on "records"."s1" = "domain_s1"."value";

-- 11. stacking the sensitive values: one row per combination of sensitive values in the data
create temporary table "pg_temp"."sqlanon_stack" as
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with "combinations" as (
  select
    "records"."s1" as "value_s1",
    count(*) as "frequency"
  from "pg_temp"."sqlanon_records" as "records"
  group by
    "records"."s1"
), "cells" as (
  select
    "positions_s1"."code" as "s1",
    "positions_s1"."position" - 1 as "place_s1",
    "combinations"."frequency"
  from "combinations"
  inner join "pg_temp"."sqlanon_positions_s1" as "positions_s1"
    on array["combinations"."value_s1"] = array["positions_s1"."value"]
    and /* A value that no record has, which a declared order adds, is NULL here too. */ "positions_s1"."records" > 0
), "blocks" as (
  select
    "cells"."s1",
    "cells"."frequency",
    row_number() over (order by "cells"."frequency" desc nulls last, "cells"."s1" desc nulls last) - 1 as "block"
  from "cells"
)
select
  "blocks"."s1",
  "blocks"."frequency",
  "blocks"."block",
  cast(sum("blocks"."frequency") over (order by "blocks"."block" rows between unbounded preceding and current row) - "blocks"."frequency" as bigint) as "start"
from "blocks";
analyze "pg_temp"."sqlanon_stack";

-- 12. counting the classes: one row
create temporary table "pg_temp"."sqlanon_sizes" as
with "counted" as (
  select
    cast(sum("stack"."frequency") as bigint) as "records"
  from "pg_temp"."sqlanon_stack" as "stack"
)
select
  "counted"."records",
  cast(cast((
    "counted"."records" - "counted"."records" % 10
  ) as double precision) / 10 as bigint) as "classes"
from "counted";
analyze "pg_temp"."sqlanon_sizes";

-- 13. stacking the records: one row per record
create temporary table "pg_temp"."sqlanon_stacked" as
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. Numbered block by block, because a
-- single window over all records would sort them on one thread.
with "digested" as (
  select
    "coded"."q1",
    "coded"."s1",
    (
      cast(0 as bigint) * 48271 + "coded"."q1"
    ) % 2147483647 as "digest"
  from "pg_temp"."sqlanon_coded" as "coded"
), "shuffled" as (
  select
    "digested"."q1",
    "digested"."s1",
    (
      "digested"."digest" * "digested"."digest" % 2147483647
    ) * (
      "digested"."digest" * "digested"."digest" % 2147483647
    ) % 2147483647 * "digested"."digest" % 2147483647 as "shuffle"
  from "digested"
)
select
  "shuffled"."q1",
  "shuffled"."s1",
  "stack"."start" + row_number() over (partition by "shuffled"."s1" order by "shuffled"."shuffle", "shuffled"."q1") - 1 as "position"
from "shuffled"
inner join "pg_temp"."sqlanon_stack" as "stack"
  on "shuffled"."s1" = "stack"."s1";
analyze "pg_temp"."sqlanon_stacked";

-- 14. dealing the records into classes: one row per record
create temporary view "pg_temp"."sqlanon_assigned" as
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
select
  "stacked"."position" % "sizes"."classes" as "class_id",
  "stacked"."q1",
  "stacked"."s1"
from "pg_temp"."sqlanon_stacked" as "stacked"
cross join "pg_temp"."sqlanon_sizes" as "sizes";

-- 15. the extent of every class: one row per class as formed
create temporary table "pg_temp"."sqlanon_boxes" as
-- The smallest and the largest code of every quasi-identifier in the class.
select
  "assigned"."class_id",
  count(*) as "records",
  min("assigned"."q1") as "q1_low",
  max("assigned"."q1") as "q1_high"
from "pg_temp"."sqlanon_assigned" as "assigned"
group by
  "assigned"."class_id";
analyze "pg_temp"."sqlanon_boxes";

-- 16. what every class publishes: one row per class as formed
create temporary table "pg_temp"."sqlanon_recoded" as
-- The cells that are published in place of each quasi-identifier, the same for every record of the
-- class. The ordinal orders the classes by what they publish and by nothing else. So the release
-- can be written in an order that tells no more than its cells do.
with "cells" as (
  select
    "boxes"."class_id",
    case
      when "boxes"."q1_low" = "boxes"."q1_high"
      then "low_q1"."level_0"
      when "boxes"."q1_low" = 0
      then '*'
      else '[' || "low_q1"."level_0" || ', ' || "high_q1"."level_0" || ']'
    end as "p1"
  from "pg_temp"."sqlanon_boxes" as "boxes"
  inner join "pg_temp"."sqlanon_domain_q1" as "low_q1"
    on "boxes"."q1_low" = "low_q1"."code"
  inner join "pg_temp"."sqlanon_domain_q1" as "high_q1"
    on "boxes"."q1_high" = "high_q1"."code"
)
select
  "cells"."class_id",
  "cells"."p1",
  cast(dense_rank() over (order by "cells"."p1" nulls first) as int) as "ordinal"
from "cells";
analyze "pg_temp"."sqlanon_recoded";

-- 17. ordering the records by what they publish: one row per record
create temporary table "pg_temp"."sqlanon_ordered" as
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select
  "recoded"."ordinal",
  "assigned"."s1"
from "pg_temp"."sqlanon_assigned" as "assigned"
inner join "pg_temp"."sqlanon_recoded" as "recoded"
  on "assigned"."class_id" = "recoded"."class_id"
order by
  "recoded"."ordinal",
  "assigned"."s1";
analyze "pg_temp"."sqlanon_ordered";

-- Nothing is replaced but a release of sqlanon's: its relations bear a mark.
do $sqlanon$
declare
    name text;
    found regclass;
    recorded text;
begin
    if obj_description(to_regclass('"public__run"'), 'pg_class')
        like 'sqlanon release ' || '%' then
        execute 'select max(value) from "public__run" where item = ''release_id''' into recorded;
    end if;
    foreach name in array array['"public"', '"public__classes"', '"public__metrics"', '"public__run"', '"public__suppressed"', '"public__rows"', '"public__sensitive"', '"public__members"', '"public__values"', '"public__series"', '"public__allotment"', '"public__nodes"'] loop
        found := to_regclass(name);
        if found is not null then
            if not coalesce(obj_description(found, 'pg_class') = 'sqlanon release ' || recorded, false) then
                raise exception using message = concat('release: a relation ', found, ' ', case when obj_description(found, 'pg_class') like 'sqlanon release ' || '%' then 'is of another run, which published it while this script was under way, or whose record is gone: run this again, or drop it yourself' else 'exists and is no release of sqlanon''s (it bears no mark of one): choose another name for the release, or drop it yourself' end);
            end if;
            execute 'lock table ' || name || ' in access exclusive mode';
            if to_regclass(name) <> found then
                raise exception using message = concat('release: a relation ', found, ' ', case when obj_description(found, 'pg_class') like 'sqlanon release ' || '%' then 'is of another run, which published it while this script was under way, or whose record is gone: run this again, or drop it yourself' else 'exists and is no release of sqlanon''s (it bears no mark of one): choose another name for the release, or drop it yourself' end);
            end if;
        end if;
    end loop;
end
$sqlanon$;

-- Who may read what is replaced.
select set_config('sqlanon.readers', coalesce((
    with replaced as (
        select named.name, pg_class.oid, pg_class.relowner, pg_class.relacl
        from unnest(cast(array['"public"'] as text[])) as named (name)
        inner join pg_class on pg_class.oid = to_regclass(named.name)
    )
    select cast(json_agg(json_build_object(
        'relation', given.name,
        'part', given.part,
        'role', case given.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end,
        'passes', given.is_grantable
    )) as text)
    from (
        select name, null as part, cast(null as oid) as grantee, false as is_grantable
        from replaced
        union all
        select replaced.name, null, entry.grantee, entry.is_grantable
        from replaced
        cross join lateral aclexplode(replaced.relacl) as entry
        where entry.privilege_type = 'SELECT' and entry.grantee <> replaced.relowner
        union all
        select replaced.name, pg_attribute.attname, entry.grantee, entry.is_grantable
        from replaced
        inner join pg_attribute on pg_attribute.attrelid = replaced.oid
        cross join lateral aclexplode(pg_attribute.attacl) as entry
        where entry.privilege_type = 'SELECT' and entry.grantee <> replaced.relowner
    ) as given
), '[]'), true);

-- Tables that the older release may have, and this one has not.
drop table if exists "public__suppressed"; drop table if exists "public__rows";
drop table if exists "public__sensitive"; drop table if exists "public__members"; drop table if exists "public__values";
drop table if exists "public__series"; drop table if exists "public__allotment"; drop table if exists "public__nodes";

-- What this replaces.
drop table if exists "public__run"; drop table if exists "public__metrics"; drop table if exists "public__classes";
drop table if exists "public";

-- 18. writing the release: one row per record
create table "public" as
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with "representatives" as (
  select
    min("recoded"."class_id") as "class_id"
  from "pg_temp"."sqlanon_recoded" as "recoded"
  group by
    "recoded"."ordinal"
), "tuples" as (
  select
    "recoded"."ordinal",
    "recoded"."p1"
  from "pg_temp"."sqlanon_recoded" as "recoded"
  inner join "representatives"
    on "recoded"."class_id" = "representatives"."class_id"
)
select
  "tuples"."p1" as "age",
  "domain_s1"."value" as "disease"
from "pg_temp"."sqlanon_ordered" as "ordered"
inner join "tuples"
  on "ordered"."ordinal" = "tuples"."ordinal"
inner join "pg_temp"."sqlanon_domain_s1" as "domain_s1"
  on "ordered"."s1" = "domain_s1"."code"
order by
  "ordered"."ordinal",
  "ordered"."s1";
comment on table "public" is 'sqlanon release 00000000000000000000000000000000';

-- 19. the table as it is read: one row per record of the source
create temporary view "pg_temp"."sqlanon_measured" as
select cast(source."age" as text) collate "C" as p1, cast(source."disease" as text) collate "C" as s1
from "public" as source;

-- 20. equivalence classes: one row per equivalence class: per distinct published tuple of quasi-identifiers
create temporary table "pg_temp"."sqlanon_classes" as
-- Classes as a reader of the release sees them, which may differ from those that the method formed. NULL equals NULL.
select
  cast(row_number() over (order by "measured"."p1" nulls first) as int) as "class_id",
  count(*) as "records",
  "measured"."p1"
from "pg_temp"."sqlanon_measured" as "measured"
group by
  "measured"."p1";
analyze "pg_temp"."sqlanon_classes";

-- 21. known values of disease
select pg_temp.refuse('sensitive.disease: ' || coalesce(cast(found."unknown" as text), '') || ' values, in ' || coalesce(cast(found."records" as text), '') || ' records, are not in the reference table: closeness to it has no meaning') as refused
from (
with "used" as (
  select
    "measured"."s1" as "value",
    count(*) as "records"
  from "pg_temp"."sqlanon_measured" as "measured"
  group by
    "measured"."s1"
)
select
  count(*) as "unknown",
  cast(sum("used"."records") as bigint) as "records"
from "used"
left join "pg_temp"."sqlanon_positions_s1" as "positions"
  on array["used"."value"] = array["positions"."value"]
  and (
    "positions"."records" > 0
  )
where
  "positions"."code" is null
having
  count(*) > 0
) as found;

-- 22. values of disease in each class: one row per equivalence class and sensitive value present in it
create temporary table "pg_temp"."sqlanon_class_values_s1" as
-- Narrow columns: this is the largest relation of a measurement.
select
  "classes"."class_id",
  cast("positions"."code" as int) as "code",
  cast("positions"."position" as int) as "position",
  count(*) as "records"
from "pg_temp"."sqlanon_measured" as "measured"
inner join "pg_temp"."sqlanon_classes" as "classes"
  on array["measured"."p1"] = array["classes"."p1"]
inner join "pg_temp"."sqlanon_positions_s1" as "positions"
  on array["measured"."s1"] = array["positions"."value"]
  and (
    "positions"."records" > 0
  )
group by
  "classes"."class_id",
  "positions"."code",
  "positions"."position";
analyze "pg_temp"."sqlanon_class_values_s1";

-- 23. information loss of each class: one row per equivalence class
create temporary table "pg_temp"."sqlanon_class_loss" as
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
        min(cast("domain"."value" as double precision))
      from "pg_temp"."sqlanon_domain_q1" as "domain"
      where
        "domain"."records" > 0
    ) as "q1_first",
    (
      select
        max(cast("domain"."value" as double precision))
      from "pg_temp"."sqlanon_domain_q1" as "domain"
      where
        "domain"."records" > 0
    ) as "q1_last"
), "read_cells" /* Every published cell: as text, and the ends of an interval. */ as (
  select
    "classes"."class_id",
    case
      when (
        cast("classes"."p1" as text) collate "C"
      ) like '[%, _%'
      then case
        when substring((
          cast("classes"."p1" as text) collate "C"
        ) from 2 for position(', ' in (
          cast("classes"."p1" as text) collate "C"
        )) - 2) ~ '^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$'
        then cast(substring((
          cast("classes"."p1" as text) collate "C"
        ) from 2 for position(', ' in (
          cast("classes"."p1" as text) collate "C"
        )) - 2) as double precision)
      end
    end as "q1_low",
    case
      when (
        cast("classes"."p1" as text) collate "C"
      ) like '[%, _%'
      then case
        when substring((
          cast("classes"."p1" as text) collate "C"
        ) from position(', ' in (
          cast("classes"."p1" as text) collate "C"
        )) + 2 for length((
          cast("classes"."p1" as text) collate "C"
        )) - position(', ' in (
          cast("classes"."p1" as text) collate "C"
        )) - 2) ~ '^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$'
        then cast(substring((
          cast("classes"."p1" as text) collate "C"
        ) from position(', ' in (
          cast("classes"."p1" as text) collate "C"
        )) + 2 for length((
          cast("classes"."p1" as text) collate "C"
        )) - position(', ' in (
          cast("classes"."p1" as text) collate "C"
        )) - 2) as double precision)
      end
    end as "q1_high",
    (
      cast("classes"."p1" as text) collate "C"
    ) as "q1_cell"
  from "pg_temp"."sqlanon_classes" as "classes"
), "cells" as (
  select
    "read_cells"."class_id",
    case
      when "read_cells"."q1_cell" is null
      then 0.0
      when "read_cells"."q1_cell" = '*'
      then 1.0
      when "read_cells"."q1_high" = "read_cells"."q1_low"
      then 0.0
      when "extents"."q1_last" = "extents"."q1_first"
      then 0.0
      when "read_cells"."q1_high" - "read_cells"."q1_low" >= "extents"."q1_last" - "extents"."q1_first"
      then 1.0
      when not "read_cells"."q1_high" - "read_cells"."q1_low" is null
      then cast((
        "read_cells"."q1_high" - "read_cells"."q1_low"
      ) as double precision) / (
        "extents"."q1_last" - "extents"."q1_first"
      )
      when not case
        when "read_cells"."q1_cell" ~ '^\s*[-+]?(\d+\.?\d*|\.\d+)([eE][-+]?\d+)?\s*$'
        then cast("read_cells"."q1_cell" as double precision)
      end is null
      then 0.0
    end as "q1_loss"
  from "read_cells"
  cross join "extents"
)
select
  "cells"."class_id",
  cast(round(cast("cells"."q1_loss" as decimal), 12) as double precision) as "q1_loss",
  cast(round(cast(cast((
    1 * "cells"."q1_loss"
  ) as double precision) / 1 as decimal), 12) as double precision) as "loss"
from "cells";
analyze "pg_temp"."sqlanon_class_loss";

-- 24. class report: one row per equivalence class
create table "public__classes" as
select
  "classes"."class_id",
  "classes"."records",
  "classes"."p1" as "age",
  "classes"."records" as "k_anonymity",
  "class_loss"."loss" as "information_loss"
from "pg_temp"."sqlanon_classes" as "classes"
inner join "pg_temp"."sqlanon_class_loss" as "class_loss"
  on "classes"."class_id" = "class_loss"."class_id";
comment on table "public__classes" is 'sqlanon release 00000000000000000000000000000000';

-- 25. metrics: one row per declared model


-- 26. accounting for the records: one row
create temporary table "pg_temp"."sqlanon_ledger" as
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with "released" as (
  select
    count(*) as "records"
  from "public"
)
select
  "size"."records" as "records_in",
  "released"."records" as "records_out",
  cast(0 as bigint) as "records_suppressed"
from "pg_temp"."sqlanon_size" as "size"
cross join "released";
analyze "pg_temp"."sqlanon_ledger";

-- 27. nothing is published unless all of this holds
select case when count(*) > 0 then pg_temp.refuse(string_agg(broken.promise, '; ')) end as refused
from (  -- no record lost or invented
    select coalesce(cast(found."records_in" as text), '') || ' records went in and ' || coalesce(cast(found."records_out" as text), '') || ' came out: a fault of sqlanon''s, or the source changed during the run; nothing was published' as promise
    from (
        select
          "ledger"."records_in",
          "ledger"."records_out"
        from "pg_temp"."sqlanon_ledger" as "ledger"
        where
          "ledger"."records_in" <> "ledger"."records_out" + "ledger"."records_suppressed"
    ) as found
    union all  -- no sensitive column gives a hidden value back
    select 'a sensitive column gives a quasi-identifier back, whose value then stands in every row although its own cell hides it (copied_share: of how many records), so nothing was published; leave one of the two out, coarsen the sensitive one in the source, or accept it by name with sensitive: {COLUMN: {accept: WHY}}: ' || coalesce(cast(found."attribute" as text), '') || ' (' || coalesce(cast(found."records" as text), '') || ' records)' as promise
    from (
        -- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
        -- of what the cell hides. Whether it is one is seen from which values come together, in different tuples of all
        -- columns: a table that was loaded twice, or records that are alike, prove nothing.
        with "tuples" as (
          select distinct
            "records"."q1",
            "records"."s1"
          from "pg_temp"."sqlanon_records" as "records"
        ), "pairs" /* Every two values of a pair of columns; the other columns are NULL. */ as (
          select
            case when grouping("tuples"."s1") = 0 then 0 end + case when grouping("tuples"."q1") = 0 then 1 end as "number",
            cast(count(*) as double precision) as "tuples",
            "tuples"."s1",
            "tuples"."q1",
            coalesce((
              cast("tuples"."s1" as text) collate "C"
            )) as "held_label",
            coalesce((
              cast("tuples"."q1" as text) collate "C"
            )) as "given_label"
          from "tuples"
          group by
            grouping sets (
              ("tuples"."s1", "tuples"."q1")
            )
        ), "likely" /* The pairs of columns that may be copies: values with nearly one original have a tenth of the tuples, or the */ /* two have the same text. */ as (
          select
            "held"."number"
          from (
            select
              "pairs"."number",
              sum("pairs"."tuples") as "tuples",
              max("pairs"."tuples") as "most",
              sum(
                case
                  when substring("pairs"."held_label" from 1 for length("pairs"."given_label")) = "pairs"."given_label"
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
            10 * sum(
              case when 20 * "held"."most" >= 19 * "held"."tuples" then "held"."most" else 0 end
            ) > sum("held"."tuples")
            or 20 * sum("held"."same") >= 19 * sum("held"."tuples")
        ), "counted" as (
          select
            "pairs"."number",
            "pairs"."tuples",
            "pairs"."s1",
            "pairs"."q1",
            sum("pairs"."tuples") over (partition by "pairs"."number", "pairs"."s1") as "of_held",
            sum("pairs"."tuples") over (partition by "pairs"."number", "pairs"."q1") as "of_given",
            sum("pairs"."tuples") over (partition by "pairs"."number") as "whole",
            case
              when "pairs"."held_label" = "pairs"."given_label"
              or (
                "pairs"."given_label" <> ''
                and substring("pairs"."held_label" from 1 for length("pairs"."given_label")) = "pairs"."given_label"
              )
              then "pairs"."tuples"
              else 0
            end as "same"
          from "pairs"
          inner join "likely"
            on "pairs"."number" = "likely"."number"
        ), "telling" /* Values whose tuples nearly all have one original; both by their places in order. */ as (
          select
            "counted"."number",
            "counted"."tuples",
            "counted"."of_held",
            "counted"."of_given",
            "counted"."whole",
            dense_rank() over (partition by "counted"."number" order by "counted"."s1" nulls first) as "held",
            dense_rank() over (partition by "counted"."number" order by "counted"."q1" nulls first) as "given"
          from "counted"
          where
            20 * "counted"."tuples" >= 19 * "counted"."of_held"
        ), "copies" /* The same text, or a function. */ as (
          select
            "counted"."number"
          from "counted"
          group by
            "counted"."number"
          having
            max("counted"."whole") - max("counted"."of_given") >= 10
            and 20 * (
              max("counted"."whole") - sum("counted"."same")
            ) <= max("counted"."whole") - max("counted"."of_given")
          union
          select
            "telling"."number"
          from "telling"
          where
            "telling"."of_held" >= 5
            and 1000 * power(
              cast("telling"."of_given" as double precision) / "telling"."whole",
              least("telling"."of_held" - 1, 10)
            ) <= 1
          group by
            "telling"."number"
          having
            count(distinct "telling"."given") >= 5
            and sum("telling"."tuples") >= 30
            and 10 * sum("telling"."tuples") > max("telling"."whole")
        )
        select
          case "copies"."number" when 1 then 'age by disease' end as "attribute",
          cast(sum("classes"."records") as double precision) / max("released"."records") as "reached",
          cast(sum("classes"."records") as bigint) as "records"
        from "copies"
        cross join (
          select
            sum("every_class"."records") as "records"
          from "pg_temp"."sqlanon_classes" as "every_class"
          inner join "pg_temp"."sqlanon_class_loss" as "every_loss"
            on "every_class"."class_id" = "every_loss"."class_id"
        ) as "released"
        cross join "pg_temp"."sqlanon_classes" as "classes"
        inner join "pg_temp"."sqlanon_class_loss" as "class_loss"
          on "classes"."class_id" = "class_loss"."class_id"
        where
          case "copies"."number" % 1 when 0 then "class_loss"."q1_loss" end > 0
        group by
          "copies"."number"
        order by
          "copies"."number"
    ) as found
    union all  -- every declared model holds
    select 'the release does not reach what the spec asks for, so nothing was published; relax what is violated; a greater k may help: ' || string_agg(coalesce(cast(found."reached" as text), ''), '; ') as promise
    from (
        select
          "metrics"."metric",
          "metrics"."attribute",
          "metrics"."threshold",
          "metrics"."value",
          "metrics"."failing_classes",
          "metrics"."failing_records",
          "metrics"."metric" || coalesce(' ' || "metrics"."attribute", '') || ': asked for ' || "metrics"."threshold" || ', reached ' || coalesce((
            cast("metrics"."value" as text) collate "C"
          ), 'nothing') || coalesce(
            '; ' || (
              cast("metrics"."failing_classes" as text) collate "C"
            ) || ' classes with ' || (
              cast("metrics"."failing_records" as text) collate "C"
            ) || ' records violate it',
            ''
          ) as "reached"
        from "public__metrics" as "metrics"
        where
          "metrics"."passed" = false
    ) as found having count(*) > 0
) as broken
having count(*) > 0;

-- 28. the content of public: one row
create temporary table "pg_temp"."sqlanon_content_of_1" as
-- A certificate's facts about a published table: how many records it has, and a hash of them that
-- no order of the rows changes and every change of a cell does, the same on every engine.
with texts as (
    select
        coalesce(replace(replace(case
            when pg_typeof(released."age") not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(released."age" as text)
            when cast(released."age" as text) = 'NaN' then 'nan'
            when cast(released."age" as text) = 'Infinity' then 'inf'
            when cast(released."age" as text) = '-Infinity' then '-inf'
            when cast(released."age" as text) in ('0', '-0') then cast(released."age" as text) || '.0'
            when
                abs(cast(cast(released."age" as text) as numeric)) < 0.0001
                or abs(cast(cast(released."age" as text) as numeric)) >= 10000000000000000
                then cast(released."age" as text)
            when strpos(cast(cast(cast(released."age" as text) as numeric) as text), '.') > 0
                then cast(cast(cast(released."age" as text) as numeric) as text)
            else cast(cast(cast(released."age" as text) as numeric) as text) || '.0'
        end collate "C", '~', '~~'), '|', '~p'), '~n')
        || '|' || coalesce(replace(replace(case
            when pg_typeof(released."disease") not in (cast('real' as regtype), cast('double precision' as regtype))
                then cast(released."disease" as text)
            when cast(released."disease" as text) = 'NaN' then 'nan'
            when cast(released."disease" as text) = 'Infinity' then 'inf'
            when cast(released."disease" as text) = '-Infinity' then '-inf'
            when cast(released."disease" as text) in ('0', '-0') then cast(released."disease" as text) || '.0'
            when
                abs(cast(cast(released."disease" as text) as numeric)) < 0.0001
                or abs(cast(cast(released."disease" as text) as numeric)) >= 10000000000000000
                then cast(released."disease" as text)
            when strpos(cast(cast(cast(released."disease" as text) as numeric) as text), '.') > 0
                then cast(cast(cast(released."disease" as text) as numeric) as text)
            else cast(cast(cast(released."disease" as text) as numeric) as text) || '.0'
        end collate "C", '~', '~~'), '|', '~p'), '~n') as row_text
    from "public" as released
),
parts as (
    select sum(counted.records) as records, left(counted.row_hash, 3) || encode(sha256(convert_to(string_agg(counted.row_hash || ':' || cast(counted.records as varchar), ',' order by counted.row_hash), 'UTF8')), 'hex') as part_hash
    from (
        select encode(sha256(convert_to(texts.row_text, 'UTF8')), 'hex') as row_hash, count(*) as records from texts
        group by encode(sha256(convert_to(texts.row_text, 'UTF8')), 'hex')
    ) as counted
    group by left(counted.row_hash, 3)
)
select cast(coalesce(sum(parts.records), 0) as bigint) as records, encode(sha256(convert_to(coalesce(string_agg(parts.part_hash, ',' order by parts.part_hash), ''), 'UTF8')), 'hex') as content
from parts;
analyze "pg_temp"."sqlanon_content_of_1";

-- 29. recording the run: one row per fact about the run


-- The same may read what is published; the rest is for its owner alone.
do $sqlanon$
declare
    held regclass;
    other text;
    reader record;
begin
    for held, other in
        with named (name) as (
            select unnest(cast(array['"public__classes"', '"public__metrics"', '"public__run"'] as text[]))
            union all
            select kept.relation
            from json_to_recordset(cast(current_setting('sqlanon.readers') as json))
                as kept (relation text, role text)
            where kept.role is null
        ), withheld as (
            select oid, relowner, relacl
            from pg_class
            where oid in (select to_regclass(name) from named)
        )
        select distinct cast(given.oid as regclass), case given.grantee when 0 then 'public' else quote_ident(pg_get_userbyid(given.grantee)) end
        from (
            select withheld.oid, withheld.relowner, entry.grantee
            from withheld
            cross join lateral aclexplode(withheld.relacl) as entry
            union all
            select withheld.oid, withheld.relowner, entry.grantee
            from withheld
            inner join pg_attribute on pg_attribute.attrelid = withheld.oid
            cross join lateral aclexplode(pg_attribute.attacl) as entry
        ) as given
        where given.grantee <> given.relowner
    loop
        execute concat('revoke all on table ', held, ' from ', other, ' cascade');
    end loop;
    for reader in
        select kept.*
        from json_to_recordset(cast(current_setting('sqlanon.readers') as json))
            as kept (relation text, part text, role text, passes boolean)
        where
            kept.role is not null
            and (
                kept.part is null
                or exists (
                    select from pg_attribute
                    where attrelid = to_regclass(kept.relation) and attname = kept.part
                        and not attisdropped
                )
            )
    loop
        execute concat(
            'grant select', ' (' || quote_ident(reader.part) || ')', ' on table ', reader.relation,
            ' to ', reader.role, case when reader.passes then ' with grant option' end
        );
    end loop;
end
$sqlanon$;

-- What was needed until here.
drop table if exists "pg_temp"."sqlanon_content_of_1" cascade; drop table if exists "pg_temp"."sqlanon_ledger" cascade;
drop table if exists "pg_temp"."sqlanon_class_loss" cascade;
drop table if exists "pg_temp"."sqlanon_class_values_s1" cascade;
drop table if exists "pg_temp"."sqlanon_classes" cascade; drop view if exists "pg_temp"."sqlanon_measured" cascade;
drop table if exists "pg_temp"."sqlanon_ordered" cascade; drop table if exists "pg_temp"."sqlanon_recoded" cascade;
drop table if exists "pg_temp"."sqlanon_boxes" cascade; drop view if exists "pg_temp"."sqlanon_assigned" cascade;
drop table if exists "pg_temp"."sqlanon_stacked" cascade; drop table if exists "pg_temp"."sqlanon_sizes" cascade;
drop table if exists "pg_temp"."sqlanon_stack" cascade; drop view if exists "pg_temp"."sqlanon_coded" cascade;
drop table if exists "pg_temp"."sqlanon_positions_s1" cascade;
drop table if exists "pg_temp"."sqlanon_domain_s1" cascade; drop table if exists "pg_temp"."sqlanon_values_s1" cascade;
drop table if exists "pg_temp"."sqlanon_domain_q1" cascade; drop table if exists "pg_temp"."sqlanon_values_q1" cascade;
drop table if exists "pg_temp"."sqlanon_size" cascade; drop view if exists "pg_temp"."sqlanon_records" cascade;

commit;
