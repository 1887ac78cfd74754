-- sqlanon: makes public
--   q1 = age, q2 = zip
--   s1 = disease

set preserve_insertion_order = 'true'; set default_order = 'ASCENDING'; set default_null_order = 'NULLS_LAST';
set default_collation = ''; set TimeZone = 'UTC'; set Calendar = 'gregorian'; set integer_division = 'false';
set ieee_floating_point_ops = 'true'; set scalar_subquery_error_on_multiple_rows = 'true';
set order_by_non_integer_literal = 'false';

begin transaction;

-- Nothing stands in for what is made, read or called here.
select system.main.error(system.main.concat(found.what, ' stands in for another: drop or rename it')) as refused
from (
    select system.main.concat('the temporary table ', table_name) as what from system.main.duckdb_tables()
    where database_name = 'temp' and system.main.lower(table_name) in ('public', 'public__classes', 'public__metrics', 'public__run', 'patients')
    union all
    select system.main.concat('the temporary view ', view_name) from system.main.duckdb_views()
    where database_name = 'temp' and system.main.lower(view_name) in ('public', 'public__classes', 'public__metrics', 'public__run', 'patients')
    union all
    select system.main.concat('the macro ', mine.function_name) from system.main.duckdb_functions() as mine
    where not mine.internal and mine.database_name in ('temp', system.main.current_database())
        and system.main.lower(mine.function_name) in (select its.function_name from system.main.duckdb_functions() as its where its.internal)
) as found;

-- 1. the columns have the types that they had
select error('source: ' || coalesce(cast(found."columns" as varchar), '') || ': of another type than when this script was written, which would recode the values otherwise: write it again by sqlanon compile') as refused
from (
-- Of an enum the labels are no part of what is compared: they are values of the data.
select found.columns
from (
    select
        concat_ws(
            ', ',
            case when split_part(typeof(source."age"), 'ENUM(', 1) <> 'INTEGER' then 'age' end,
            case when split_part(typeof(source."zip"), 'ENUM(', 1) <> 'VARCHAR' then 'zip' end,
            case when split_part(typeof(source."disease"), 'ENUM(', 1) <> 'VARCHAR' then 'disease' end
        ) as columns
    from "patients" as source
    limit 1
) as found
where found.columns <> ''
) as found;

-- 2. reading the source: one row per record of the source
create or replace temporary view "temp"."main"."sqlanon_records" as
select source."age" as q1, source."zip" collate "C" as q2, source."disease" collate "C" as s1 from "patients" as source;

-- 3. counting the records: one row
create or replace temporary table "temp"."main"."sqlanon_size" as
select count(*) as records from "temp"."main"."sqlanon_records";

-- 4. the source has records
select error('source: it has no records: nothing can be released') as refused
from (
select size.records
from "temp"."main"."sqlanon_size" as size
where size.records = 0
) as found;

-- 5. there are enough records
select error('privacy.k: k-anonymity cannot be reached: k is 10, the source has only ' || coalesce(cast(found."records" as varchar), '') || ' records; lower k') as refused
from (
select size.records
from "temp"."main"."sqlanon_size" as size
where size.records < 10
) as found;

-- 6. distinct values of age: one row per distinct value of the attribute, NULL among them
create or replace temporary table "temp"."main"."sqlanon_values_q1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select q1 as value,
    cast(q1 as varchar) as label,
    count(*) as records
from "temp"."main"."sqlanon_records"
group by q1;

-- 7. codes of age: one row per distinct value in the data; code 0 is NULL
create or replace temporary table "temp"."main"."sqlanon_domain_q1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
    row_number() over (
        order by values_in_use.value
    ) as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "temp"."main"."sqlanon_values_q1" as values_in_use
where values_in_use.value is not null
union all
select
    0 as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "temp"."main"."sqlanon_values_q1" as values_in_use
where values_in_use.value is null;

-- 8. distinct values of zip: one row per distinct value of the attribute, NULL among them
create or replace temporary table "temp"."main"."sqlanon_values_q2" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select q2 as value,
    cast(q2 as varchar) as label,
    count(*) as records
from "temp"."main"."sqlanon_records"
group by q2;

-- 9. leaves of zip: one row per value in the data
create or replace temporary table "temp"."main"."sqlanon_leaves_q2" as
-- A level keeps so many leading characters and masks the rest: 12345, 123**.
select
    values_in_use.value,
    values_in_use.label as level_0,
    rpad(left(values_in_use.label, 5), cast(length(values_in_use.label) as integer), '*') as level_1,
    rpad(left(values_in_use.label, 3), cast(length(values_in_use.label) as integer), '*') as level_2
from "temp"."main"."sqlanon_values_q2" as values_in_use
where values_in_use.value is not null;

-- 10. coverage of zip
select error('quasi_identifiers.zip.hierarchy: the hierarchy does not cover ' || coalesce(cast(found."missing" as varchar), '') || ' of the column''s ' || coalesce(cast(found."used" as varchar), '') || ' values, in ' || coalesce(cast(found."records" as varchar), '') || ' records: add each of them as a leaf with all its groups; to find them, compare "select distinct zip" of the source with it') as refused
from (
select count(*) as missing,
    (select count(*) from "temp"."main"."sqlanon_values_q2") as used,
    sum(values_in_use.records) as records
from "temp"."main"."sqlanon_values_q2" as values_in_use
left join "temp"."main"."sqlanon_leaves_q2" as leaves
    on values_in_use.value = leaves.value
where
    values_in_use.value is not null
    and (
        leaves.level_0 is null
        or leaves.level_1 is null
        or leaves.level_2 is null
    )
having count(*) > 0
) as found;

-- 11. depth-first codes of zip: one row per leaf of the hierarchy; code 0 is NULL, if the data holds it
create or replace temporary table "temp"."main"."sqlanon_domain_q2" as
-- Leaves are numbered depth first, so that the leaves under every node are neighbours: the lowest
-- common ancestor of any set of leaves is that of its smallest and its largest code. Children
-- stand in the order of their smallest value. A node is named by its first leaf's code; the
-- root, above the highest level here, needs no name.
with ranked as (
    select
        leaves.value,
        case
            when leaves.value is not null
                then row_number() over (order by leaves.value nulls last, leaves.level_0)
        end as value_rank,
        leaves.level_0,
        leaves.level_1,
        leaves.level_2
    from "temp"."main"."sqlanon_leaves_q2" as leaves
),
first_values as (
    select
        ranked.value,
        ranked.value_rank,
        ranked.level_0,
        ranked.level_1,
        min(ranked.value_rank) over (
            partition by ranked.level_1, ranked.level_2
        ) as first_1,
        ranked.level_2,
        min(ranked.value_rank) over (
            partition by ranked.level_2
        ) as first_2
    from ranked
),
numbered as (
    select
        row_number() over (
            order by
                first_values.first_2 nulls last,
                first_values.level_2,
                first_values.first_1 nulls last,
                first_values.level_1,
                first_values.value_rank nulls last,
                first_values.level_0
        ) as code,
        first_values.value,
        first_values.level_0,
        first_values.level_1,
        first_values.level_2
    from first_values
),
numbered_and_null as (
    select
        numbered.code,
        numbered.value,
        coalesce(values_in_use.records, 0) as records,
        numbered.level_0,
        numbered.level_1,
        numbered.level_2
    from numbered
    left join "temp"."main"."sqlanon_values_q2" as values_in_use
        on numbered.value = values_in_use.value
    union all
    select
        0 as code,
        values_in_use.value,
        values_in_use.records,
        null as level_0,
        null as level_1,
        null as level_2
    from "temp"."main"."sqlanon_values_q2" as values_in_use
    where values_in_use.value is null
)
select
    numbered_and_null.code,
    numbered_and_null.value,
    numbered_and_null.records,
    numbered_and_null.level_0,
    numbered_and_null.level_1,
    numbered_and_null.level_2,
    numbered_and_null.code as node_0,
    min(numbered_and_null.code) over (
        partition by numbered_and_null.level_1, numbered_and_null.level_2
    ) as node_1,
    min(numbered_and_null.code) over (
        partition by numbered_and_null.level_2
    ) as node_2
from numbered_and_null;

-- 12. hierarchy nodes of zip: one row per label of the hierarchy; the label of NULL is NULL
create or replace temporary table "temp"."main"."sqlanon_nodes_q2" as
-- The extent of a published label: how many leaves lie under it. A label that names several
-- different groups has several meanings, and the hierarchy is refused.
with labelled as (
    select
        domain.level_0 as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "temp"."main"."sqlanon_domain_q2" as domain
    group by domain.level_0, domain.node_0
    union all
    select
        domain.level_1 as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "temp"."main"."sqlanon_domain_q2" as domain
    group by domain.level_1, domain.node_1
    union all
    select
        domain.level_2 as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "temp"."main"."sqlanon_domain_q2" as domain
    group by domain.level_2, domain.node_2
    union all
    select
        '*' as label,
        min(domain.code) as first_leaf,
        max(domain.code) as last_leaf,
        count(*) as leaves
    from "temp"."main"."sqlanon_domain_q2" as domain
)
select labelled.label,
    max(labelled.leaves) as leaves,
    count(distinct labelled.first_leaf * 4294967296 + labelled.last_leaf) as meanings
from labelled
group by labelled.label;

-- 13. unambiguous labels of zip
select error('quasi_identifiers.zip.hierarchy: ' || coalesce(cast(found."labels" as varchar), '') || ' labels stand for several different groups each, so a reader could not tell which is meant: give every group a name of its own, and every group one parent (''*'' is the root''s)') as refused
from (
select count(*) as labels
from "temp"."main"."sqlanon_nodes_q2" as nodes
where nodes.meanings > 1
having count(*) > 0
) as found;

-- 14. distinct values of disease: one row per distinct value of the attribute, NULL among them
create or replace temporary table "temp"."main"."sqlanon_values_s1" as
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one
-- are different values where the value is published as it is: the grouping parts equal values by
-- their sign. Elsewhere they are the same value, without a sign.
select s1 as value,
    cast(s1 as varchar) as label,
    count(*) as records
from "temp"."main"."sqlanon_records"
group by s1;

-- 15. codes of disease: one row per distinct value in the data; code 0 is NULL
create or replace temporary table "temp"."main"."sqlanon_domain_s1" as
-- An attribute without a hierarchy: codes follow the order of its values.
select
    row_number() over (
        order by values_in_use.value
    ) as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "temp"."main"."sqlanon_values_s1" as values_in_use
where values_in_use.value is not null
union all
select
    0 as code,
    values_in_use.value,
    values_in_use.records,
    values_in_use.label as level_0
from "temp"."main"."sqlanon_values_s1" as values_in_use
where values_in_use.value is null;

-- 16. order of disease: one row per value of a sensitive attribute, and per value its declared order adds
create or replace temporary table "temp"."main"."sqlanon_positions_s1" as
-- The attribute's values in the order of its earth mover's distance. In frequency order, equal
-- frequencies stand with the higher code first, as in the dissertation's tables.
select
    domain.code,
    domain.value,
    domain.records,
    row_number() over (order by domain.code) as position
from "temp"."main"."sqlanon_domain_s1" as domain;

-- 17. coding the records: one row per record
create or replace temporary view "temp"."main"."sqlanon_coded" as
-- Every value of a quasi-identifier or sensitive attribute as its integer code; code 0 is NULL. A
-- coordinate without a domain is the same for every record.
select coalesce(domain_q1.code, 0) as q1,
    coalesce(domain_q2.code, 0) as q2,
    coalesce(domain_s1.code, 0) as s1
from "temp"."main"."sqlanon_records" as records
left join "temp"."main"."sqlanon_domain_q1" as domain_q1
    on records.q1 = domain_q1.value
left join "temp"."main"."sqlanon_domain_q2" as domain_q2
    on records.q2 = domain_q2.value
left join "temp"."main"."sqlanon_domain_s1" as domain_s1
    on records.s1 = domain_s1.value;

-- 18. stacking the sensitive values: one row per combination of sensitive values in the data
create or replace temporary table "temp"."main"."sqlanon_stack" as
-- The stack's blocks, bottom first: equal sensitive values lie together, each block starts where
-- the one before it ends.
with combinations as (
    select records.s1 as value_s1,
        count(*) as frequency
    from "temp"."main"."sqlanon_records" as records
    group by records.s1
),
cells as (
    select positions_s1.code as s1,
        positions_s1.position - 1 as place_s1,
        combinations.frequency
    from combinations
    inner join "temp"."main"."sqlanon_positions_s1" as positions_s1
        on combinations.value_s1 is not distinct from positions_s1.value
            -- A value that no record has, which a declared order adds, is NULL here too.
            and positions_s1.records > 0
),
blocks as (
    select
        cells.s1,
        cells.frequency,
        row_number() over (
            order by
                cells.frequency desc,
                cells.s1 desc
        ) - 1 as block
    from cells
)
select
    blocks.s1,
    blocks.frequency,
    blocks.block,
    cast(
        sum(blocks.frequency) over (order by blocks.block rows unbounded preceding) - blocks.frequency
        as bigint
    ) as start
from blocks;

-- 19. counting the classes: one row
create or replace temporary table "temp"."main"."sqlanon_sizes" as
with counted as (
    select cast(sum(stack.frequency) as bigint) as records from "temp"."main"."sqlanon_stack" as stack
)
select counted.records,
    cast((counted.records - counted.records % 10) / 10 as bigint) as classes
from counted;

-- 20. stacking the records: one row per record
create or replace temporary table "temp"."main"."sqlanon_stacked" as
-- The records in stack order. Within a block their order is a seeded shuffle of the declared
-- columns; records equal in all of them are interchangeable. DuckDB keeps the order in which a
-- table is written, so a record's place in the stack is its row number: one sort, no window.
with digested as (
    select
        coded.q1,
        coded.q2,
        coded.s1,
        ((cast(0 as bigint) * 48271 + coded.q1) % 2147483647 * 48271 + coded.q2) % 2147483647 as digest
    from "temp"."main"."sqlanon_coded" as coded
),
shuffled as (
    select
        digested.q1,
        digested.q2,
        digested.s1,
        (digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647 as shuffle
    from digested
)
select cast(shuffled.q1 as integer) as q1,
    cast(shuffled.q2 as integer) as q2,
    cast(shuffled.s1 as integer) as s1
from shuffled
inner join "temp"."main"."sqlanon_stack" as stack
    on shuffled.s1 = stack.s1
order by
    cast(stack.block as integer),
    cast(shuffled.shuffle as integer),
    shuffled.q1,
    shuffled.q2;

-- 21. dealing the records into classes: one row per record
create or replace temporary view "temp"."main"."sqlanon_assigned" as
-- Deal the stack like cards: the record at place i goes to class i modulo the number of classes.
-- Its place is its row number in the sorted table, counted from the first: inside a transaction
-- DuckDB's row numbers do not start at zero.
select
    cast((stacked.rowid - origin.first_row) % sizes.classes as integer) as class_id,
    stacked.q1,
    stacked.q2,
    stacked.s1
from "temp"."main"."sqlanon_stacked" as stacked
cross join "temp"."main"."sqlanon_sizes" as sizes
cross join (select min(numbered.rowid) as first_row from "temp"."main"."sqlanon_stacked" as numbered) as origin;

-- 22. the extent of every class: one row per class as formed
create or replace temporary table "temp"."main"."sqlanon_boxes" as
-- The smallest and the largest code of every quasi-identifier in the class.
select
    assigned.class_id,
    count(*) as records,
    min(assigned.q1) as q1_low,
    max(assigned.q1) as q1_high,
    min(assigned.q2) as q2_low,
    max(assigned.q2) as q2_high
from "temp"."main"."sqlanon_assigned" as assigned
group by assigned.class_id;

-- 23. what every class publishes: one row per class as formed
create or replace temporary table "temp"."main"."sqlanon_recoded" as
-- The cells that are published in place of each quasi-identifier, the same for every record of the
-- class. The ordinal orders the classes by what they publish and by nothing else. So the release
-- can be written in an order that tells no more than its cells do.
with cells as (
    select
        boxes.class_id,
        case
            when boxes.q1_low = boxes.q1_high then low_q1.level_0
            when boxes.q1_low = 0 then '*'
            else '[' || low_q1.level_0 || ', ' || high_q1.level_0 || ']'
        end as p1,
        case
            when low_q2.node_0 = high_q2.node_0 then low_q2.level_0
            when low_q2.node_1 = high_q2.node_1 then low_q2.level_1
            when low_q2.node_2 = high_q2.node_2 then low_q2.level_2
            else '*'
        end as p2
    from "temp"."main"."sqlanon_boxes" as boxes
    inner join "temp"."main"."sqlanon_domain_q1" as low_q1
        on boxes.q1_low = low_q1.code
    inner join "temp"."main"."sqlanon_domain_q1" as high_q1
        on boxes.q1_high = high_q1.code
    inner join "temp"."main"."sqlanon_domain_q2" as low_q2
        on boxes.q2_low = low_q2.code
    inner join "temp"."main"."sqlanon_domain_q2" as high_q2
        on boxes.q2_high = high_q2.code
)
select
    cells.class_id,
    cells.p1,
    cells.p2,
    cast(
        dense_rank() over (
            order by
                cells.p1 nulls first,
                cells.p2 nulls first
        ) as integer
    ) as ordinal
from cells;

-- 24. ordering the records by what they publish: one row per record
create or replace temporary table "temp"."main"."sqlanon_ordered" as
-- The record as the release will show it and nothing else, in an order of its own: the published
-- tuple stands as its ordinal, a sensitive value as its code. The release is written from this
-- alone, so where a row stands cannot tell more than its cells do. Narrow rows sort fast.
select recoded.ordinal,
    assigned.s1
from "temp"."main"."sqlanon_assigned" as assigned
inner join "temp"."main"."sqlanon_recoded" as recoded
    on assigned.class_id = recoded.class_id
order by
    recoded.ordinal,
    assigned.s1;

-- Nothing is replaced but a release of sqlanon's: its relations bear a mark.
set variable sqlanon_recorded = (
    select case count(*) when 0 then 'select null as number' else 'select max(value) as number from "public__run" where item = ''release_id''' end
    from duckdb_tables() where database_name = current_database() and schema_name = current_schema() and lower(table_name) = 'public__run'
);
select error('release: a relation ' || found.name || ' exists and is no release of sqlanon''s (it bears no mark of one): choose another name for the release, or drop it yourself') as refused
from (
    select database_name, schema_name, table_name as name, comment from duckdb_tables()
    union all
    select database_name, schema_name, view_name, comment from duckdb_views()
) as found
cross join query(getvariable('sqlanon_recorded')) as recorded
where database_name = current_database() and schema_name = current_schema() and lower(found.name) in ('public', 'public__classes', 'public__metrics', 'public__run', 'public__suppressed', 'public__rows', 'public__sensitive', 'public__members', 'public__values', 'public__series', 'public__allotment', 'public__nodes')
    and not coalesce(found.comment = 'sqlanon release ' || recorded.number, false);
reset variable sqlanon_recorded;

-- Tables that the older release may have, and this one has not.
drop table if exists "public__suppressed"; drop table if exists "public__rows";
drop table if exists "public__sensitive"; drop table if exists "public__members"; drop table if exists "public__values";
drop table if exists "public__series"; drop table if exists "public__allotment"; drop table if exists "public__nodes";

-- 25. writing the release: one row per record
create or replace table "public" as
-- The declared columns and nothing else. Classes that publish the same tuple are one class to a
-- reader: one of them stands for all, and no class as formed has a part in how the rows are joined.
with representatives as (
    select min(recoded.class_id) as class_id
    from "temp"."main"."sqlanon_recoded" as recoded
    group by recoded.ordinal
),
tuples as (
    select recoded.ordinal,
        recoded.p1,
        recoded.p2
    from "temp"."main"."sqlanon_recoded" as recoded
    inner join representatives
        on recoded.class_id = representatives.class_id
)
select tuples.p1 as "age",
    tuples.p2 as "zip",
    domain_s1.value as "disease"
from "temp"."main"."sqlanon_ordered" as ordered
inner join tuples
    on ordered.ordinal = tuples.ordinal
inner join "temp"."main"."sqlanon_domain_s1" as domain_s1
    on ordered.s1 = domain_s1.code
order by
    ordered.ordinal,
    ordered.s1;
comment on table "public" is 'sqlanon release 00000000000000000000000000000000';

-- 26. the table as it is read: one row per record of the source
create or replace temporary view "temp"."main"."sqlanon_measured" as
select source."age" collate "C" as p1, source."zip" collate "C" as p2, source."disease" collate "C" as s1
from "public" as source;

-- 27. equivalence classes: one row per equivalence class: per distinct published tuple of quasi-identifiers
create or replace temporary table "temp"."main"."sqlanon_classes" as
-- Classes as a reader of the release sees them, which may differ from those that the method formed. NULL equals NULL.
select cast(row_number() over (order by measured.p1 nulls first, measured.p2 nulls first) as integer) as class_id,
    count(*) as records, measured.p1, measured.p2
from "temp"."main"."sqlanon_measured" as measured
group by measured.p1, measured.p2;

-- 28. known values of disease
select error('sensitive.disease: ' || coalesce(cast(found."unknown" as varchar), '') || ' values, in ' || coalesce(cast(found."records" as varchar), '') || ' records, are not in the reference table: closeness to it has no meaning') as refused
from (
with used as (
    select measured.s1 as value,
        count(*) as records
    from "temp"."main"."sqlanon_measured" as measured
    group by measured.s1
)
select count(*) as unknown,
    cast(sum(used.records) as bigint) as records
from used
left join "temp"."main"."sqlanon_positions_s1" as positions
    on used.value is not distinct from positions.value
        and (positions.records > 0)
where positions.code is null
having count(*) > 0
) as found;

-- 29. values of disease in each class: one row per equivalence class and sensitive value present in it
create or replace temporary table "temp"."main"."sqlanon_class_values_s1" as
-- Narrow columns: this is the largest relation of a measurement.
select
    classes.class_id, cast(positions.code as integer) as code, cast(positions.position as integer) as position, count(*) as records
from "temp"."main"."sqlanon_measured" as measured
inner join "temp"."main"."sqlanon_classes" as classes
    on measured.p1 is not distinct from classes.p1 and measured.p2 is not distinct from classes.p2
inner join "temp"."main"."sqlanon_positions_s1" as positions
    on measured.s1 is not distinct from positions.value and (positions.records > 0)
group by classes.class_id, positions.code, positions.position;

-- 30. measuring t closeness of disease: one row per equivalence class
create or replace temporary table "temp"."main"."sqlanon_measured_t_closeness_s1" as
-- Earth mover's distance between the class's and the table's distribution: the sum of what the
-- class has too much of, over the values present in it. Whole numbers until the last line.
with reference as (
    select cast(sum(positions.records) as bigint) as records from "temp"."main"."sqlanon_positions_s1" as positions
),
surpluses as (
    select
        classes.class_id,
        classes.records,
        sum(
            case
                when class_values.records * reference.records > positions.records * classes.records
                    then class_values.records * reference.records - positions.records * classes.records
                else 0
            end
        ) as surplus
    from "temp"."main"."sqlanon_class_values_s1" as class_values
    inner join "temp"."main"."sqlanon_classes" as classes
        on class_values.class_id = classes.class_id
    inner join "temp"."main"."sqlanon_positions_s1" as positions
        on class_values.code = positions.code
    cross join reference
    group by classes.class_id, classes.records
),
distances as (
    select surpluses.class_id,
        cast(surpluses.surplus as decimal(38, 0)) as moved,
        cast(surpluses.records as decimal(38, 0)) * reference.records as scale
    from surpluses
    cross join reference
)
select
    distances.class_id,
    cast(distances.moved as double) / cast(distances.scale as double) as value,
    distances.moved as amount,
    distances.scale
from distances;

-- 31. information loss of each class: one row per equivalence class
create or replace temporary table "temp"."main"."sqlanon_class_loss" as
-- The loss of each published cell, 0 for a single value and 1 for the whole domain: the length of an
-- interval over the column's range (of a listed order, from place to place), or the leaves under a
-- node, less one, over all leaves, less one.
-- A centroid does not tell what it loses: that is what a run found, and NULL without one.
-- NULL where a published cell is none of these. Cells are read as text: a table may hold numbers.
with extents as (
    select
        1 as one,
        (
            select min(cast(domain.value as double))
            from "temp"."main"."sqlanon_domain_q1" as domain
            where domain.records > 0
        ) as q1_first,
        (
            select max(cast(domain.value as double))
            from "temp"."main"."sqlanon_domain_q1" as domain
            where domain.records > 0
        ) as q1_last,
        (select count(*) from "temp"."main"."sqlanon_domain_q2")
            as q2_leaves
),
-- Every published cell: as text, and the ends of an interval.
read_cells as (
    select
        classes.class_id,
        case
            when cast(classes.p1 as varchar) like '[%, _%'
                then try_cast(substr(cast(classes.p1 as varchar), 2, strpos(cast(classes.p1 as varchar), ', ') - 2) as double)
        end as q1_low,
        case
            when cast(classes.p1 as varchar) like '[%, _%'
                then try_cast(substr(cast(classes.p1 as varchar), strpos(cast(classes.p1 as varchar), ', ') + 2, length(cast(classes.p1 as varchar)) - strpos(cast(classes.p1 as varchar), ', ') - 2) as double)
        end as q1_high,
        cast(classes.p1 as varchar) as q1_cell,
        cast(classes.p2 as varchar) as q2_cell
    from "temp"."main"."sqlanon_classes" as classes
),
cells as (
    select
        read_cells.class_id,
        case
            when read_cells.q1_cell is null then 0.0
            when read_cells.q1_cell = '*' then 1.0
            when read_cells.q1_high = read_cells.q1_low then 0.0
            when extents.q1_last = extents.q1_first then 0.0
            when read_cells.q1_high - read_cells.q1_low >= extents.q1_last - extents.q1_first then 1.0
            when read_cells.q1_high - read_cells.q1_low is not null
                then (read_cells.q1_high - read_cells.q1_low) / (extents.q1_last - extents.q1_first)
            when try_cast(read_cells.q1_cell as double) is not null then 0.0
        end as q1_loss,
        case
            when read_cells.q2_cell is null then 0.0
            when extents.q2_leaves = 1 then 0.0
            else cast(nodes_q2.leaves - 1 as double) / (extents.q2_leaves - 1)
        end as q2_loss
    from read_cells
    cross join extents
    left join "temp"."main"."sqlanon_nodes_q2" as nodes_q2
        on read_cells.q2_cell = nodes_q2.label
)
select
    cells.class_id,
    round(cells.q1_loss, 12) as q1_loss,
    round(cells.q2_loss, 12) as q2_loss,
    round(
        (
            1 * cells.q1_loss
            + 1 * cells.q2_loss
        ) / 2,
        12
    ) as loss
from cells;

-- 32. class report: one row per equivalence class
create or replace table "public__classes" as
select classes.class_id, classes.records, classes.p1 as "age", classes.p2 as "zip",
    classes.records as "k_anonymity", model_2.value as "disease_t_closeness", class_loss.loss as information_loss
from "temp"."main"."sqlanon_classes" as classes
inner join "temp"."main"."sqlanon_measured_t_closeness_s1" as model_2 on classes.class_id = model_2.class_id
inner join "temp"."main"."sqlanon_class_loss" as class_loss on classes.class_id = class_loss.class_id;
comment on table "public__classes" is 'sqlanon release 00000000000000000000000000000000';

-- 33. metrics: one row per declared model, and figure of what was left out
create or replace table "public__metrics" as
-- The value that every declared model reaches in its worst class, and the classes that violate it.
-- Whole numbers are multiplied crosswise, so a verdict is exact. A value that is not finite keeps no bound.
with held as (
    select 1 as number, classes.class_id, cast(classes.records as double) as value, case when classes.records >= 10 then 1 else 0 end as holds
    from "public__classes" as classes
    union all
    select 2 as number, measured.class_id, cast(measured.value as double) as value, case when measured.amount - measured.amount = 0 and measured.scale - measured.scale = 0 and (measured.scale <> 0 or measured.amount = 0) and measured.amount * 2 <= measured.scale * 1 then 1 else 0 end as holds
    from "temp"."main"."sqlanon_measured_t_closeness_s1" as measured
)
select
    asked.metric, cast(asked.attribute as varchar) as attribute,
    case
        when asked.worst = 'least' then min(held.value)
        when count(held.value) = count(*) then max(held.value)
    end as value,
    cast(asked.threshold as varchar) as threshold,
    case when asked.bounded = 1 then coalesce(min(held.holds) = 1, false) end as passed,
    cast(sum(1 - held.holds) as bigint) as failing_classes,
    cast(sum(classes.records * (1 - held.holds)) as bigint) as failing_records,
    asked.direction, asked.range, asked.sentence
from (
    values
    (1, 'k_anonymity', null, 'least', '10', 1, 'higher', '[1, n]', 'Every class has at least k records.'),
    (2, 't_closeness', 'disease', 'greatest', '0.5', 1, 'lower', '[0, 1]', 'The sensitive values of every class are distributed as in the whole table, within t.')
) as asked (number, metric, attribute, worst, threshold, bounded, direction, range, sentence)
left join held on asked.number = held.number
left join "public__classes" as classes on held.class_id = classes.class_id
group by asked.number, asked.metric, asked.attribute, asked.worst, asked.threshold, asked.bounded, asked.direction, asked.range, asked.sentence
order by asked.number;
comment on table "public__metrics" is 'sqlanon release 00000000000000000000000000000000';

-- 34. accounting for the records: one row
create or replace temporary table "temp"."main"."sqlanon_ledger" as
-- The count of the records, in and out. Every record that is read has a class, so none is
-- suppressed.
with released as (
    select count(*) as records from "public"
)
select size.records as records_in,
    released.records as records_out,
    cast(0 as bigint) as records_suppressed
from "temp"."main"."sqlanon_size" as size
cross join released;

-- 35. nothing is published unless all of this holds
select case when count(*) > 0 then error(string_agg(broken.promise, '; ')) end as refused
from (  -- no record lost or invented
    select coalesce(cast(found."records_in" as varchar), '') || ' records went in and ' || coalesce(cast(found."records_out" as varchar), '') || ' came out: a fault of sqlanon''s, or the source changed during the run; nothing was published' as promise
    from (
        select ledger.records_in, ledger.records_out
        from "temp"."main"."sqlanon_ledger" as ledger
        where ledger.records_in <> ledger.records_out + ledger.records_suppressed
    ) as found
    union all  -- no sensitive column gives a hidden value back
    select 'a sensitive column gives a quasi-identifier back, whose value then stands in every row although its own cell hides it (copied_share: of how many records), so nothing was published; leave one of the two out, coarsen the sensitive one in the source, or accept it by name with sensitive: {COLUMN: {accept: WHY}}: ' || coalesce(cast(found."attribute" as varchar), '') || ' (' || coalesce(cast(found."records" as varchar), '') || ' records)' as promise
    from (
        -- The released records whose cell of a quasi-identifier is no single value, where a sensitive column is a copy
        -- of what the cell hides. Whether it is one is seen from which values come together, in different tuples of all
        -- columns: a table that was loaded twice, or records that are alike, prove nothing.
        with tuples as (
            select distinct records.q1, records.q2, records.s1 from "temp"."main"."sqlanon_records" as records
        ),
        -- Every two values of a pair of columns; the other columns are NULL.
        pairs as (
            select
                case when grouping(tuples.s1) = 0 then 0 end
                + case
                    when grouping(tuples.q1) = 0 then 1 when grouping(tuples.q2) = 0 then 2
                end as number, cast(count(*) as double) as tuples, tuples.s1, tuples.q1, tuples.q2,
                coalesce(cast(tuples.s1 as varchar)) as held_label,
                coalesce(cast(tuples.q1 as varchar), cast(tuples.q2 as varchar)) as given_label
            from tuples
            group by grouping sets (
                    (tuples.s1, tuples.q1), (tuples.s1, tuples.q2)
                )
        ),
        -- The pairs of columns that may be copies: values with nearly one original have a tenth of the tuples, or the
        -- two have the same text.
        likely as (
            select held.number
            from (
                select pairs.number, sum(pairs.tuples) as tuples, max(pairs.tuples) as most,
                    sum(case when substring(pairs.held_label, 1, length(pairs.given_label)) = pairs.given_label then pairs.tuples else 0 end) as same
                from pairs
                group by pairs.number, pairs.s1
            ) as held
            group by held.number
            having 10 * sum(case when 20 * held.most >= 19 * held.tuples then held.most else 0 end) > sum(held.tuples)
                or 20 * sum(held.same) >= 19 * sum(held.tuples)
        ),
        counted as (
            select
                pairs.number, pairs.tuples, pairs.s1, pairs.q1, pairs.q2,
                sum(pairs.tuples) over (partition by pairs.number, pairs.s1) as of_held,
                sum(pairs.tuples) over (partition by pairs.number, pairs.q1, pairs.q2) as of_given,
                sum(pairs.tuples) over (partition by pairs.number) as whole,
                case when pairs.held_label = pairs.given_label or (pairs.given_label <> '' and substring(pairs.held_label, 1, length(pairs.given_label)) = pairs.given_label) then pairs.tuples else 0 end as same
            from pairs
            inner join likely on pairs.number = likely.number
        ),
        -- Values whose tuples nearly all have one original; both by their places in order.
        telling as (
            select counted.number, counted.tuples, counted.of_held, counted.of_given, counted.whole,
                dense_rank() over (partition by counted.number order by counted.s1 nulls first) as held,
                dense_rank() over (partition by counted.number order by counted.q1 nulls first, counted.q2 nulls first) as given
            from counted
            where 20 * counted.tuples >= 19 * counted.of_held
        ),
        -- The same text, or a function.
        copies as (
            select counted.number
            from counted
            group by counted.number
            having max(counted.whole) - max(counted.of_given) >= 10
                and 20 * (max(counted.whole) - sum(counted.same)) <= max(counted.whole) - max(counted.of_given)
            union
            select telling.number
            from telling
            where telling.of_held >= 5 and 1000 * power(telling.of_given / telling.whole, least(telling.of_held - 1, 10)) <= 1
            group by telling.number
            having
                count(distinct telling.given) >= 5 and sum(telling.tuples) >= 30 and 10 * sum(telling.tuples) > max(telling.whole)
        )
        select case copies.number when 1 then 'age by disease' when 2 then 'zip by disease' end as attribute,
            cast(sum(classes.records) as double) / max(released.records) as reached, cast(sum(classes.records) as bigint) as records
        from copies
        cross join (
            select sum(every_class.records) as records
            from "temp"."main"."sqlanon_classes" as every_class
            inner join "temp"."main"."sqlanon_class_loss" as every_loss on every_class.class_id = every_loss.class_id
        ) as released
        cross join "temp"."main"."sqlanon_classes" as classes
        inner join "temp"."main"."sqlanon_class_loss" as class_loss on classes.class_id = class_loss.class_id
        where case copies.number % 2 when 1 then class_loss.q1_loss when 0 then class_loss.q2_loss end > 0
        group by copies.number
        order by copies.number
    ) as found
    union all  -- every declared model holds
    select 'the release does not reach what the spec asks for, so nothing was published; relax what is violated; a greater k may help: ' || string_agg(coalesce(cast(found."reached" as varchar), ''), '; ') as promise
    from (
        select
            metrics.metric, metrics.attribute, metrics.threshold, metrics.value, metrics.failing_classes, metrics.failing_records,
            metrics.metric || coalesce(' ' || metrics.attribute, '') || ': asked for ' || metrics.threshold || ', reached ' || coalesce(cast(metrics.value as varchar), 'nothing')
            || coalesce('; ' || cast(metrics.failing_classes as varchar) || ' classes with ' || cast(metrics.failing_records as varchar) || ' records violate it', '') as reached
        from "public__metrics" as metrics
        where metrics.passed = false
    ) as found having count(*) > 0
) as broken
having count(*) > 0;

-- 36. the content of public: one row
create or replace temporary table "temp"."main"."sqlanon_content_of_1" as
-- A certificate's facts about a published table: how many records it has, and a hash of them that
-- no order of the rows changes and every change of a cell does, the same on every engine.
with texts as (
    select coalesce(replace(replace(cast(released."age" as varchar), '~', '~~'), '|', '~p'), '~n')
        || '|' || coalesce(replace(replace(cast(released."zip" as varchar), '~', '~~'), '|', '~p'), '~n')
        || '|' || coalesce(replace(replace(cast(released."disease" as varchar), '~', '~~'), '|', '~p'), '~n') as row_text
    from "public" as released
),
parts as (
    select sum(counted.records) as records, left(counted.row_hash, 3) || sha256(string_agg(counted.row_hash || ':' || cast(counted.records as varchar), ',' order by counted.row_hash)) as part_hash
    from (
        select sha256(texts.row_text) as row_hash, count(*) as records from texts
        group by sha256(texts.row_text)
    ) as counted
    group by left(counted.row_hash, 3)
)
select cast(coalesce(sum(parts.records), 0) as bigint) as records, sha256(coalesce(string_agg(parts.part_hash, ',' order by parts.part_hash), '')) as content
from parts;

-- 37. recording the run: one row per fact about the run


-- What was needed until here.
drop table "temp"."main"."sqlanon_content_of_1"; drop table "temp"."main"."sqlanon_ledger";
drop table "temp"."main"."sqlanon_class_loss"; drop table "temp"."main"."sqlanon_measured_t_closeness_s1";
drop table "temp"."main"."sqlanon_class_values_s1"; drop table "temp"."main"."sqlanon_classes";
drop view "temp"."main"."sqlanon_measured"; drop table "temp"."main"."sqlanon_ordered";
drop table "temp"."main"."sqlanon_recoded"; drop table "temp"."main"."sqlanon_boxes";
drop view "temp"."main"."sqlanon_assigned"; drop table "temp"."main"."sqlanon_stacked";
drop table "temp"."main"."sqlanon_sizes"; drop table "temp"."main"."sqlanon_stack";
drop view "temp"."main"."sqlanon_coded"; drop table "temp"."main"."sqlanon_positions_s1";
drop table "temp"."main"."sqlanon_domain_s1"; drop table "temp"."main"."sqlanon_values_s1";
drop table "temp"."main"."sqlanon_nodes_q2"; drop table "temp"."main"."sqlanon_domain_q2";
drop table "temp"."main"."sqlanon_leaves_q2"; drop table "temp"."main"."sqlanon_values_q2";
drop table "temp"."main"."sqlanon_domain_q1"; drop table "temp"."main"."sqlanon_values_q1";
drop table "temp"."main"."sqlanon_size"; drop view "temp"."main"."sqlanon_records";

commit;
