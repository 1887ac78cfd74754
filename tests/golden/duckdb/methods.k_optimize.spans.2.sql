-- relation: spans
-- grain: one row per bin of a quasi-identifier and bin that is not before it
-- inputs: bins, axis?, domain?
-- outputs: low, high, loss
-- paper: Xu et al. 2006, NCP
-- What publishing all codes in use from the one bin to the other loses, in whole units: the length of the
-- interval over that of the domain, or the values beyond the first over those of the domain. NULL lies
-- nowhere: with other values, an interval of it is the whole domain.
with ends as (
    select
        bins.bin,
        min(bins.code) as first_code,
        max(bins.code) as last_code,
        count(*) as codes
    from "sqlanon_split_bins_q2" as bins
    group by bins.bin
),

counted as (
    select
        ends.bin,
        ends.first_code,
        ends.last_code,
        ends.codes,
        sum(ends.codes) over (order by ends.bin rows unbounded preceding) as codes_so_far
    from ends
),

extent as (
    select count(*) - 1 as length
    from "sqlanon_domain_q2"
)

select
    low.bin as low,
    high.bin as high,
    cast(
        case
            when low.first_code = high.last_code then 0
            else floor(
                cast(high.codes_so_far - low.codes_so_far + low.codes - 1 as double)
                / nullif(extent.length, 0) * 333333333 + 0.5
            )
        end as bigint
    ) as loss
from counted as low
inner join counted as high
    on low.bin <= high.bin
cross join extent
