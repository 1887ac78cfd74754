-- relation: grid
-- grain: one row per cell of a square or cubic grid
-- inputs: none
-- outputs: x*, place
-- paper: Hilbert 1891
-- Where each cell lies on a Hilbert curve: cells that follow each other on the curve touch in the
-- grid. A curve of twice the width is made of turned and mirrored copies of the narrower one:
-- each copy's axes are sums of the old ones (axis_*), moved (corner_*) and mirrored (mirror_*).
-- By recursion, because PostgreSQL would write a chain of CTEs out as one expression of all of them.
with recursive copies as (
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

curve as (
    select
        1 as width,
        0 as x0,
        0 as x1,
        0 as place
    union all
    select
        2 * was.width as width,
        copies.corner_0 * was.width + copies.axis_0_0 * was.x0 + copies.axis_0_1 * was.x1 + copies.mirror_0 * (was.width - 1) as x0,
        copies.corner_1 * was.width + copies.axis_1_0 * was.x0 + copies.axis_1_1 * was.x1 + copies.mirror_1 * (was.width - 1) as x1,
        copies.copy * was.width * was.width + was.place as place
    from curve as was
    cross join copies
    where was.width < 16
)

select
    curve.x0,
    curve.x1,
    curve.place
from curve
where curve.width = 16
