-- relation: check_eligible
-- grain: one row if a value has more than its share of the records
-- inputs: stack
-- outputs: records, commonest, most, greatest
-- paper: Xiao & Tao 2006, §4: at most n / l records have the same value
-- A value may be in each of the floor(n / l) groups once. The greatest l that would do is how many
-- times the commonest value's records go into all of them.
with counted as (
    select
        cast(sum(stack.frequency) as bigint) as records,
        max(stack.frequency) as commonest
    from "sqlanon_stack" as stack
),

limits as (
    select
        counted.records,
        counted.commonest,
        cast((counted.records - counted.records % 3) / 3 as bigint) as most,
        cast(
            (counted.records - counted.records % counted.commonest) / counted.commonest as bigint
        ) as greatest
    from counted
)

select
    limits.records,
    limits.commonest,
    limits.most,
    limits.greatest
from limits
where limits.commonest > limits.most
