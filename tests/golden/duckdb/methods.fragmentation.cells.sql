-- relation: cells
-- grain: one row per cell of the multiplicity matrix
-- inputs: matrix
-- outputs: s*, records
-- paper: Gowda 2023, §4.2.1
select
    matrix.s1,
    matrix.s2,
    matrix.records
from "sqlanon_matrix" as matrix
