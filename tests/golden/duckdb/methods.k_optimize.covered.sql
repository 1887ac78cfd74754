-- relation: covered
-- grain: one row per class as formed and code that its cells cover
-- inputs: tuple_classes
-- outputs: class_id, q*
-- paper: Bayardo & Agrawal 2005, §2
-- What the cells of every class are to cover: the same for all classes of a group. Of an interval the first and
-- the last code of the group that is kept in any class, of a set all of them. Values of suppressed
-- records alone are not among them.
with own as (
    select
        tuple_classes.class_id,
        min(tuple_classes.q1) as q1,
        min(tuple_classes.q1_low) as q1_group,
        min(tuple_classes.q2) as q2,
        min(tuple_classes.q2_low) as q2_group,
        min(tuple_classes.q3) as q3,
        min(tuple_classes.q3_low) as q3_group
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.class_id
),

members_q1 as (
    select
        tuple_classes.q1_low as part,
        min(tuple_classes.q1) as code
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.q1_low
    union all
    select
        tuple_classes.q1_low as part,
        max(tuple_classes.q1) as code
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.q1_low

),

members_q2 as (
    select
        tuple_classes.q2_low as part,
        tuple_classes.q2 as code
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.q2_low, tuple_classes.q2
),

members_q3 as (
    select
        tuple_classes.q3_low as part,
        min(tuple_classes.q3) as code
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.q3_low
    union all
    select
        tuple_classes.q3_low as part,
        max(tuple_classes.q3) as code
    from "sqlanon_tuple_classes" as tuple_classes
    where tuple_classes.failed is null
    group by tuple_classes.q3_low

),

rows_covered as (
    select
        own.class_id,
        members.code as q1,
        own.q2,
        own.q3
    from own
    inner join members_q1 as members
        on own.q1_group = members.part
    union all
    select
        own.class_id,
        own.q1,
        members.code as q2,
        own.q3
    from own
    inner join members_q2 as members
        on own.q2_group = members.part
    union all
    select
        own.class_id,
        own.q1,
        own.q2,
        members.code as q3
    from own
    inner join members_q3 as members
        on own.q3_group = members.part

)

select
    rows_covered.class_id,
    rows_covered.q1,
    rows_covered.q2,
    rows_covered.q3
from rows_covered
