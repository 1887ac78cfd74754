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
        listed.mirror_0,
        listed.corner_1,
        listed.axis_1_0,
        listed.axis_1_1,
        listed.mirror_1
    from (
        values
        (0, 0, 0, 1, 0, 0, 1, 0, 0),
        (1, 0, 1, 0, 0, 1, 0, 1, 0),
        (2, 1, 1, 0, 0, 1, 0, 1, 0),
        (3, 1, 0, -1, 1, 0, -1, 0, 1)
    ) as listed (
        copy, corner_0, axis_0_0, axis_0_1, mirror_0, corner_1, axis_1_0, axis_1_1, mirror_1
    )
),

width_1 as (
    select
        0 as x0,
        0 as x1,
        0 as place
),

width_2 as (
    select
        copies.corner_0 * 1 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.mirror_0 * 0 as x0,
        copies.corner_1 * 1 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.mirror_1 * 0 as x1,
        copies.copy * 1 + was.place as place
    from width_1 as was
    cross join copies
),

width_4 as (
    select
        copies.corner_0 * 2 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.mirror_0 * 1 as x0,
        copies.corner_1 * 2 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.mirror_1 * 1 as x1,
        copies.copy * 4 + was.place as place
    from width_2 as was
    cross join copies
),

width_8 as (
    select
        copies.corner_0 * 4 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.mirror_0 * 3 as x0,
        copies.corner_1 * 4 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.mirror_1 * 3 as x1,
        copies.copy * 16 + was.place as place
    from width_4 as was
    cross join copies
),

width_16 as (
    select
        copies.corner_0 * 8 + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.mirror_0 * 7 as x0,
        copies.corner_1 * 8 + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.mirror_1 * 7 as x1,
        copies.copy * 64 + was.place as place
    from width_8 as was
    cross join copies
)

select
    curve.x0,
    curve.x1,
    curve.place
from width_16 as curve
