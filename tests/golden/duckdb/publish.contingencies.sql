-- relation: contingencies
-- grain: one row per combination of two attributes
-- inputs: slice_cells
-- outputs: number, contingency
-- paper: Li, Li, Zhang and Molloy 2012: φ² = Σ (f_ij - f_i f_j)² / (f_i f_j) / (min(d_1, d_2) - 1)
-- The sum is Σ n_ij² / (n_i n_j) - 1: what it is of counts. 0 where one of the two has one cell alone.
with joint as (
    select
        0 as number,
        slice_cells.q1 as one,
        slice_cells.q2 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q1, slice_cells.q2
    union all
    select
        1 as number,
        slice_cells.q1 as one,
        slice_cells.q3 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q1, slice_cells.q3
    union all
    select
        2 as number,
        slice_cells.q1 as one,
        slice_cells.s1 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q1, slice_cells.s1
    union all
    select
        3 as number,
        slice_cells.q1 as one,
        slice_cells.s2 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q1, slice_cells.s2
    union all
    select
        4 as number,
        slice_cells.q2 as one,
        slice_cells.q3 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q2, slice_cells.q3
    union all
    select
        5 as number,
        slice_cells.q2 as one,
        slice_cells.s1 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q2, slice_cells.s1
    union all
    select
        6 as number,
        slice_cells.q2 as one,
        slice_cells.s2 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q2, slice_cells.s2
    union all
    select
        7 as number,
        slice_cells.q3 as one,
        slice_cells.s1 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q3, slice_cells.s1
    union all
    select
        8 as number,
        slice_cells.q3 as one,
        slice_cells.s2 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.q3, slice_cells.s2
    union all
    select
        9 as number,
        slice_cells.s1 as one,
        slice_cells.s2 as other,
        cast(sum(slice_cells.records) as bigint) as records
    from "sqlanon_slice_cells" as slice_cells
    group by slice_cells.s1, slice_cells.s2

),

beside as (
    select
        joint.number,
        joint.one,
        joint.other,
        cast(joint.records as double) as records,
        cast(sum(joint.records) over (partition by joint.number, joint.one) as double) as ones,
        cast(sum(joint.records) over (partition by joint.number, joint.other) as double) as others
    from joint
),

summed as (
    select
        beside.number,
        count(distinct beside.one) as rows_used,
        count(distinct beside.other) as columns_used,
        sum((beside.records / beside.ones) * (beside.records / beside.others)) - 1 as square
    from beside
    group by beside.number
)

select
    summed.number,
    case
        when summed.rows_used < 2 or summed.columns_used < 2 then cast(0 as double)
        else abs(round(summed.square / (least(summed.rows_used, summed.columns_used) - 1), 9))
    end as contingency
from summed
