-- relation: skewness
-- grain: one row per class
-- inputs: class_values
-- outputs: class_id, records, value, exposed
-- paper: Li et al. 2007, §3 (the skewness attack); Kiran & Kavya 2012, §3
-- What a reader who finds somebody's class gains: by how much the chance of a value is greater there than
-- in the whole release, at most. Exposed is 1 where a value is likelier than not, and at least twice as
-- likely as in the whole release.
with whole as (
    select
        class_values.code,
        cast(sum(class_values.records) as bigint) as records
    from "sqlanon_class_values_s1" as class_values
    group by class_values.code
),

total as (
    select cast(sum(whole.records) as bigint) as records
    from whole
),

sizes as (
    select
        class_values.class_id,
        cast(sum(class_values.records) as bigint) as records
    from "sqlanon_class_values_s1" as class_values
    group by class_values.class_id
),

gains as (
    select
        sizes.class_id,
        sizes.records,
        cast(class_values.records as decimal(38, 0)) * total.records
        - cast(whole.records as decimal(38, 0)) * sizes.records as gained,
        cast(whole.records as decimal(38, 0)) * sizes.records as expected,
        cast(total.records as decimal(38, 0)) * sizes.records as scale
    from "sqlanon_class_values_s1" as class_values
    inner join whole
        on class_values.code = whole.code
    inner join sizes
        on class_values.class_id = sizes.class_id
    cross join total
)

select
    gains.class_id,
    gains.records,
    round(cast(max(gains.gained) as double) / cast(max(gains.scale) as double), 9) as value,
    max(
        case
            when gains.gained >= gains.expected and 2 * (gains.gained + gains.expected) > gains.scale then 1
            else 0
        end
    ) as exposed
from gains
group by gains.class_id, gains.records
