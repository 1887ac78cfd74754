-- relation: left_regions
-- grain: one row
-- inputs: left_counts
-- outputs: regions
-- paper: none
-- How many regions have something left over.
select count(distinct left_counts.region) as regions
from "sqlanon_carve_left" as left_counts
