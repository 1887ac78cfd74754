-- relation: stripe_stacks
-- grain: one row per fragment
-- inputs: pieces
-- outputs: stripe, fragment, block, frequency, start, classes, first_class, pile, first_place
-- paper: sqlanon, fragments dealt round robin
-- The fragments as the blocks of a stack: each starts where the one before it ends, so that dealing
-- goes on where it stopped.
with sizes as (
    select
        pieces.fragment,
        cast(sum(pieces.records) as bigint) as frequency
    from "sqlanon_pieces" as pieces
    group by pieces.fragment
)

select
    0 as stripe,
    sizes.fragment,
    sizes.fragment as block,
    sizes.frequency,
    cast(
        sum(sizes.frequency) over (order by sizes.fragment rows unbounded preceding) - sizes.frequency
        as bigint
    ) as start,
    24 as classes,
    0 as first_class,
    sizes.fragment as pile,
    0 as first_place
from sizes
