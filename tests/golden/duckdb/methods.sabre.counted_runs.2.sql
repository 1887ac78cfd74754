-- relation: counted_runs
-- grain: one row per bin of a sensitive attribute
-- inputs: bins, positions
-- outputs: bin, records, least, first_position, last_position, node_*
-- paper: none
-- What the search knows of the values: how many records a run of them has, and its rarest value.
select
    bins.bin,
    cast(sum(positions.records) as bigint) as records,
    coalesce(min(case when positions.records > 0 then positions.records end), 0) as least,
    min(bins.position) as first_position,
    max(bins.position) as last_position,
    min(positions.node_0) as node_0,
    min(positions.node_1) as node_1
from "sqlanon_bins_s1" as bins
inner join "sqlanon_positions_s1" as positions
    on bins.code = positions.code
group by bins.bin
order by bins.bin
