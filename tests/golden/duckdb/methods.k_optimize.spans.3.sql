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
        count(*) as codes,
        min(axis.axis) as first_axis,
        max(axis.axis) as last_axis
    from "sqlanon_split_bins_q3" as bins
    inner join "sqlanon_axis_q3" as axis
        on bins.code = axis.code
    group by bins.bin
),

counted as (
    select
        ends.bin,
        ends.first_code,
        ends.last_code,
        ends.first_axis,
        ends.last_axis,
        ends.codes,
        sum(ends.codes) over (order by ends.bin rows unbounded preceding) as codes_so_far
    from ends
),

extent as (
    select max(axis.axis) - min(axis.axis) as length
    from "sqlanon_axis_q3" as axis
)

select
    low.bin as low,
    high.bin as high,
    cast(
        case
            when low.first_code = 0 then 333333333
            when low.first_code = high.last_code then 0
            when low.first_code = 0 then 333333333
            when extent.length = 0 then 0
            else floor((high.last_axis - low.first_axis) / nullif(extent.length, 0) * 333333333 + 0.5)
        end as bigint
    ) as loss
from counted as low
inner join counted as high
    on low.bin <= high.bin
cross join extent
