-- relation: fragments
-- grain: one row per fragment that holds records
-- inputs: none
-- outputs: fragment, s*_low|s*_high
-- paper: Gowda 2023, definitions 5 and 6, §4.5
-- Contiguous boxes of the multiplicity matrix, numbered in the order in which they are dealt: the
-- first and the last bin of every sensitive attribute.
select
    listed.fragment,
    listed.s1_low,
    listed.s1_high
from (
    values
    (0, 0, 1),
    (1, 2, 3)
) as listed (
    fragment, s1_low, s1_high
)
