-- relation: changes
-- grain: one row per class and value
-- inputs: formed, near, positions
-- outputs: class_id, code, position, lower, higher
-- paper: Li, Li & Venkatasubramanian 2007, §4.1

-- How the distance of a class from the table changes if it gives a record away and takes another, in the
-- units of what is measured. Up to each value: a record goes from a lower value to a higher one, so that the
-- cumulated counts between them are lower by one, or the other way round. From one value to another it is a difference.
with involved_ends as (
    select near.class_id
    from "sqlanon_micro_near" as near
    union all
    select near.into_class as class_id
    from "sqlanon_micro_near" as near
),

involved as (
    select involved_ends.class_id
    from involved_ends
    group by involved_ends.class_id
),

counts as (
    select
        formed.class_id,
        formed.s1 as code,
        cast(sum(formed.records) as bigint) as records
    from "sqlanon_micro_formed" as formed
    inner join involved
        on formed.class_id = involved.class_id
    group by formed.class_id, formed.s1
),

sizes as (
    select
        counts.class_id,
        cast(sum(counts.records) as bigint) as records
    from counts
    group by counts.class_id
),

reference as (
    select cast(sum(positions.records) as bigint) as records
    from "sqlanon_positions_s1" as positions
),

surpluses as (
    select
        sizes.class_id,
        positions.code,
        positions.position,
        reference.records as table_records,
        cast(
            sum(coalesce(counts.records, 0)) over (
                partition by sizes.class_id order by positions.position rows unbounded preceding
            ) * reference.records
            - sum(positions.records) over (
                partition by sizes.class_id order by positions.position rows unbounded preceding
            ) * sizes.records as bigint
        ) as surplus
    from sizes
    cross join "sqlanon_positions_s1" as positions
    cross join reference
    left join counts
        on sizes.class_id = counts.class_id and positions.code = counts.code
),

steps as (
    select
        surpluses.class_id,
        surpluses.code,
        surpluses.position,
        abs(surpluses.surplus - surpluses.table_records) - abs(surpluses.surplus) as lower,
        abs(surpluses.surplus + surpluses.table_records) - abs(surpluses.surplus) as higher
    from surpluses
)

select
    steps.class_id,
    steps.code,
    steps.position,
    cast(
        sum(steps.lower) over (partition by steps.class_id order by steps.position rows unbounded preceding) - steps.lower as bigint
    ) as lower,
    cast(
        sum(steps.higher) over (partition by steps.class_id order by steps.position rows unbounded preceding) - steps.higher as bigint
    ) as higher
from steps
