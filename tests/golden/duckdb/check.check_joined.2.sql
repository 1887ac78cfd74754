-- relation: check_joined
-- grain: one row if records of the source are in no group with their own values
-- inputs: records, measured, tied
-- outputs: records
-- paper: Xiao & Tao 2006, lemma 1 (what the join holds)
-- A group may stand for as many records with some row and some values as it has of both.
with wanted as (
    select
        records.q1 as p1,
        records.q2 as p2,
        cast(records.x1 as varchar) as x1,
        cast(records.s1 as varchar) as s1,
        count(*) as records
    from "sqlanon_records" as records
    group by
        records.q1,
        records.q2,
        cast(records.x1 as varchar),
        cast(records.s1 as varchar)
),

rows_of_groups as (
    select
        measured.p0,
        measured.p1,
        measured.p2,
        cast(measured.x1 as varchar) as x1,
        count(*) as records
    from "sqlanon_measured" as measured
    group by
        measured.p0,
        measured.p1,
        measured.p2,
        cast(measured.x1 as varchar)
),

values_of_groups as (
    select
        tied.p0,
        cast(tied.s1 as varchar) as s1,
        count(*) as records
    from "sqlanon_tied" as tied
    group by
        tied.p0,
        cast(tied.s1 as varchar)
),

offered as (
    select
        rows_of_groups.p1,
        rows_of_groups.p2,
        rows_of_groups.x1,
        values_of_groups.s1,
        sum(
            case
                when rows_of_groups.records < values_of_groups.records then rows_of_groups.records
                else values_of_groups.records
            end
        ) as records
    from rows_of_groups
    inner join values_of_groups
        on rows_of_groups.p0 = values_of_groups.p0
    group by
        rows_of_groups.p1,
        rows_of_groups.p2,
        rows_of_groups.x1,
        values_of_groups.s1
),

lacking as (
    select wanted.records - coalesce(offered.records, 0) as records
    from wanted
    left join offered
        on
            wanted.p1 is not distinct from offered.p1
            and wanted.p2 is not distinct from offered.p2
            and wanted.x1 is not distinct from offered.x1
            and wanted.s1 is not distinct from offered.s1
)

select cast(sum(lacking.records) as bigint) as records
from lacking
where lacking.records > 0
having count(*) > 0
