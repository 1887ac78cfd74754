-- relation: grid
-- grain: one row per cell of a square or cubic grid
-- inputs: none
-- outputs: x*, place
-- paper: Hilbert 1891
-- Where each cell lies on a Hilbert curve: cells that follow each other on the curve touch in the
-- grid. A curve of twice the width is made of turned and mirrored copies of the narrower one:
-- each copy's axes are sums of the old ones (axis_*), moved (corner_*) and mirrored (mirror_*).
with copies as (
    select
        listed.copy,
        listed.corner_0,
        listed.axis_0_0,
        listed.axis_0_1,
        listed.axis_0_2,
        listed.mirror_0,
        listed.corner_1,
        listed.axis_1_0,
        listed.axis_1_1,
        listed.axis_1_2,
        listed.mirror_1,
        listed.corner_2,
        listed.axis_2_0,
        listed.axis_2_1,
        listed.axis_2_2,
        listed.mirror_2
    from (
        values
        (0, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0),
        (1, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0),
        (2, 0, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0),
        (3, 0, 0, 0, -1, 1, 1, 0, 1, 0, 0, 0, -1, 0, 0, 1),
        (4, 1, 0, 0, 1, 0, 1, 0, 1, 0, 0, 0, 1, 0, 0, 0),
        (5, 1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 1, 0, 0, 1, 0),
        (6, 1, 0, -1, 0, 1, 0, -1, 0, 0, 1, 1, 0, 0, 1, 0),
        (7, 1, 0, -1, 0, 1, 0, 0, 0, 1, 0, 0, -1, 0, 0, 1)
    ) as listed (
        copy, corner_0, axis_0_0, axis_0_1, axis_0_2, mirror_0, corner_1, axis_1_0, axis_1_1, axis_1_2, mirror_1, corner_2, axis_2_0, axis_2_1, axis_2_2, mirror_2
    )
),

width_1 as (
    select
        0 as x0,
        0 as x1,
        0 as x2,
        0 as place
),

width_2 as (
    select
        copies.corner_0 * 1 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.axis_0_2 * was.x2 + copies.mirror_0 * 0 as x0,
        copies.corner_1 * 1 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.axis_1_2 * was.x2 + copies.mirror_1 * 0 as x1,
        copies.corner_2 * 1 + copies.axis_2_0 * was.x0 + copies.axis_2_1 * was.x1 + copies.axis_2_2 * was.x2 + copies.mirror_2 * 0 as x2,
        copies.copy * 1 + was.place as place
    from width_1 as was
    cross join copies
),

width_4 as (
    select
        copies.corner_0 * 2 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.axis_0_2 * was.x2 + copies.mirror_0 * 1 as x0,
        copies.corner_1 * 2 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.axis_1_2 * was.x2 + copies.mirror_1 * 1 as x1,
        copies.corner_2 * 2 + copies.axis_2_0 * was.x0 + copies.axis_2_1 * was.x1 + copies.axis_2_2 * was.x2 + copies.mirror_2 * 1 as x2,
        copies.copy * 8 + was.place as place
    from width_2 as was
    cross join copies
),

width_8 as (
    select
        copies.corner_0 * 4 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.axis_0_2 * was.x2 + copies.mirror_0 * 3 as x0,
        copies.corner_1 * 4 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.axis_1_2 * was.x2 + copies.mirror_1 * 3 as x1,
        copies.corner_2 * 4 + copies.axis_2_0 * was.x0 + copies.axis_2_1 * was.x1 + copies.axis_2_2 * was.x2 + copies.mirror_2 * 3 as x2,
        copies.copy * 64 + was.place as place
    from width_4 as was
    cross join copies
)

select
    curve.x0,
    curve.x1,
    curve.x2,
    curve.place
from width_8 as curve
