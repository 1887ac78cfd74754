with cumulated as (
    select
        positions.code,
        positions.position,
        positions.records,
        cast(sum(positions.records) over (order by positions.position rows unbounded preceding) as bigint)
            as below
    from "sqlanon_positions_s2" as positions
),

-- F and S up to each value, and up to the one before it.
prefixes as (
    select
        cumulated.code,
        cumulated.position,
        cumulated.below,
        cumulated.below - cumulated.records as below_before,
        cast(sum(cumulated.below) over (order by cumulated.position rows unbounded preceding) as bigint)
        - cumulated.below as summed_before
    from cumulated
),

totals as (
    select
        max(prefixes.below) as records,
        count(*) as domain_size,
        max(prefixes.summed_before) as summed
    from prefixes
)

select
    prefixes.code,
    prefixes.position,
    prefixes.below,
    prefixes.below_before,
    prefixes.summed_before,
    totals.domain_size,
    totals.summed
from prefixes
cross join totals
