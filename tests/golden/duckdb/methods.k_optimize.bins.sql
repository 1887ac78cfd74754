-- relation: bins
-- grain: one row per code in use of a quasi-identifier
-- inputs: cells
-- outputs: code, records, bin
-- paper: Bayardo & Agrawal 2005, §2
-- The codes in their order, in bins of neighbours between which they may be parted, counted from 0: each by
-- itself, or where there are too many by the middle rank of their records, so that bins have about as many.
-- No code counts for more than its even share of the records, or a frequent one would leave the others few bins.
with counted as (
    select
        cells.q1 as code,
        cast(sum(cells.records) as bigint) as records
    from "sqlanon_cells" as cells
    group by cells.q1
),

weighed as (
    select
        counted.code,
        counted.records,
        case when counted.records > 81 then 81 else counted.records end as weight
    from counted
),

ranked as (
    select
        weighed.code,
        weighed.records,
        count(*) over () as codes,
        row_number() over (order by weighed.code) - 1 as place,
        cast(
            2 * sum(weighed.weight) over (order by weighed.code rows unbounded preceding) - weighed.weight
            as bigint
        ) as middle,
        cast(sum(weighed.weight) over () as bigint) as weights
    from weighed
),

quantiled as (
    select
        ranked.code,
        ranked.records,
        case
            when ranked.codes <= 3 then ranked.place
            else ranked.middle * 3 // (2 * ranked.weights)
        end as quantile
    from ranked
)

select
    quantiled.code,
    quantiled.records,
    cast(dense_rank() over (order by quantiled.quantile) - 1 as bigint) as bin
from quantiled
