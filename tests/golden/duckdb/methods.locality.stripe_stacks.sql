-- relation: stripe_stacks
-- grain: one row per stripe and combination of sensitive values in it
-- inputs: striped, stack
-- outputs: stripe, s*, block, frequency, start, classes, first_class, pile, first_place
-- paper: Gowda 2023, §3.3, within each stripe
-- Every stripe's own stack: where its blocks start, and how many classes of k it is dealt into. The
-- pile numbers the blocks of all stripes; the stripe's records have first_place others before them.
with blocks as (
    select
        striped.stripe,
        striped.s1,
        count(*) as frequency
    from "sqlanon_striped" as striped
    group by
        striped.stripe,
        striped.s1
),

stripes as (
    select
        blocks.stripe,
        sum(blocks.frequency) as records,
        cast((sum(blocks.frequency) - sum(blocks.frequency) % 10) / 10 as bigint) as classes
    from blocks
    group by blocks.stripe
),

numbered as (
    select
        stripes.stripe,
        stripes.classes,
        cast(
            sum(stripes.classes) over (order by stripes.stripe rows unbounded preceding) - stripes.classes
            as bigint
        ) as first_class,
        cast(
            sum(stripes.records) over (order by stripes.stripe rows unbounded preceding) - stripes.records
            as bigint
        ) as first_place
    from stripes
)

select
    blocks.stripe,
    blocks.s1,
    stack.block,
    blocks.frequency,
    cast(
        sum(blocks.frequency) over (
            partition by blocks.stripe order by stack.block rows unbounded preceding
        ) - blocks.frequency as bigint
    ) as start,
    numbered.classes,
    numbered.first_class,
    row_number() over (order by blocks.stripe, stack.block) - 1 as pile,
    numbered.first_place
from blocks
inner join "sqlanon_stack" as stack
    on
        blocks.s1 = stack.s1
inner join numbered
    on blocks.stripe = numbered.stripe
