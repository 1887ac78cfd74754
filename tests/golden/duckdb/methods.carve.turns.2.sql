-- relation: turns
-- grain: one row per lattice node
-- inputs: none
-- outputs: turn, node, q*
-- paper: sqlanon, Carve §3
-- The lattice nodes in the order in which they are carved along, several in a turn: the level of every
-- quasi-identifier.
select
    cast(listed.turn as bigint) as turn,
    listed.node,
    listed.q1,
    listed.q2,
    listed.q3
from (
    values
    (1, 1, 0, 0, 0),
    (1, 2, 0, 1, 0),
    (1, 3, 0, 2, 0),
    (1, 4, 4, 0, 0),
    (1, 5, 4, 1, 0),
    (1, 6, 0, 3, 0),
    (1, 7, 4, 2, 0),
    (1, 8, 4, 3, 0),
    (1, 9, 0, 4, 0),
    (1, 10, 4, 4, 0),
    (1, 11, 5, 0, 0),
    (1, 12, 0, 0, 5),
    (1, 13, 0, 5, 0),
    (1, 14, 5, 1, 0),
    (1, 15, 0, 1, 5),
    (1, 16, 5, 2, 0),
    (2, 1, 0, 2, 5),
    (2, 2, 4, 0, 5),
    (2, 3, 4, 5, 0),
    (2, 4, 4, 1, 5),
    (2, 5, 5, 3, 0),
    (2, 6, 0, 3, 5),
    (2, 7, 4, 2, 5),
    (2, 8, 4, 3, 5),
    (2, 9, 5, 4, 0),
    (2, 10, 0, 4, 5),
    (2, 11, 4, 4, 5),
    (2, 12, 5, 0, 5),
    (2, 13, 5, 5, 0),
    (2, 14, 0, 5, 5),
    (2, 15, 5, 2, 5),
    (2, 16, 4, 5, 5),
    (3, 1, 5, 3, 5),
    (3, 2, 5, 4, 5),
    (3, 3, 5, 5, 5)
) as listed (turn, node, q1, q2, q3)
