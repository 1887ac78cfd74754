-- relation: check_centroids
-- grain: one row per quasi-identifier of which more centroids are published than the source has values for
-- inputs: classes, records
-- outputs: place, classes, records
-- paper: none
-- A centroid is of k values or more, and no record is in two classes: so the classes that show one have k
-- times as many values in the source. That is necessary, and all that a table tells of it.
select
    1 as place,
    shown.classes,
    known.records
from (
    select count(classes.p1) as classes
    from "sqlanon_shown_classes" as classes
) as shown
cross join (
    select count(records.q1) as records
    from "sqlanon_records" as records
) as known
where shown.classes * 10 > known.records
union all
select
    2 as place,
    shown.classes,
    known.records
from (
    select count(classes.p2) as classes
    from "sqlanon_shown_classes" as classes
) as shown
cross join (
    select count(records.q2) as records
    from "sqlanon_records" as records
) as known
where shown.classes * 10 > known.records
union all
select
    3 as place,
    shown.classes,
    known.records
from (
    select count(classes.p3) as classes
    from "sqlanon_shown_classes" as classes
) as shown
cross join (
    select count(records.q3) as records
    from "sqlanon_records" as records
) as known
where shown.classes * 10 > known.records
union all
select
    4 as place,
    shown.classes,
    known.records
from (
    select count(classes.p4) as classes
    from "sqlanon_shown_classes" as classes
) as shown
cross join (
    select count(records.q4) as records
    from "sqlanon_records" as records
) as known
where shown.classes * 10 > known.records
union all
select
    5 as place,
    shown.classes,
    known.records
from (
    select count(classes.p5) as classes
    from "sqlanon_shown_classes" as classes
) as shown
cross join (
    select count(records.q5) as records
    from "sqlanon_records" as records
) as known
where shown.classes * 10 > known.records
union all
select
    6 as place,
    shown.classes,
    known.records
from (
    select count(classes.p6) as classes
    from "sqlanon_shown_classes" as classes
) as shown
cross join (
    select count(records.q6) as records
    from "sqlanon_records" as records
) as known
where shown.classes * 10 > known.records
