-- relation: pieces
-- grain: one row per cell of the multiplicity matrix
-- inputs: matrix, fragments
-- outputs: s*, fragment, records
-- paper: Gowda 2023, definition 5
-- The fragment that a cell lies in.
select
    matrix.s1,
    matrix.s2,
    fragments.fragment,
    matrix.records
from "sqlanon_matrix" as matrix
inner join "sqlanon_fragments" as fragments
    on
        matrix.s1 >= fragments.s1_low
        and matrix.s1 <= fragments.s1_high
        and matrix.s2 >= fragments.s2_low
        and matrix.s2 <= fragments.s2_high
