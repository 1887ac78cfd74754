-- relation: subset_kept
-- grain: one row per class as formed
-- inputs: subset_open
-- outputs: class_id, records, holds, subset_*
-- paper: none
-- The classes whose groups by some of the attributes are large enough among the classes that are left.
with counted as (
    select
        subset_open.class_id,
        subset_open.records,
        subset_open.subset_1,
        sum(subset_open.records) over (partition by subset_open.subset_1) as shared_1,
        subset_open.subset_2,
        sum(subset_open.records) over (partition by subset_open.subset_2) as shared_2
    from "sqlanon_lattice_subset_kept_1" as subset_open
)

select
    counted.class_id,
    counted.records,
    1 as holds,
    counted.subset_1,
    counted.subset_2
from counted
where
    counted.shared_1 >= 20
    and counted.shared_2 >= 10
