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
    listed.s1_high,
    listed.s2_low,
    listed.s2_high
from (
    values
    (0, 0, 0, 0, 0),
    (1, 0, 0, 1, 3),
    (2, 0, 0, 4, 7),
    (3, 1, 2, 0, 3),
    (4, 1, 2, 4, 7)
) as listed (
    fragment, s1_low, s1_high, s2_low, s2_high
)
