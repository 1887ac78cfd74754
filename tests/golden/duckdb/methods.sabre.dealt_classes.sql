-- relation: dealt_classes
-- grain: one row per record, without saying which
-- inputs: stacked, stripe_stacks, leaves
-- outputs: class_id
-- paper: Cao, Karras, Kalnis & Tan 2011, redistribution
-- Every place of the deck belongs to one class. The places of a bucket are put in the order of their
-- classes, so that along the curve the first class takes the first records of every bucket. The row
-- number of a slot is that of the record that takes it; both are sorted by bucket first, and the row
-- number of a record is its place in the deck.
with moduli as (
    select distinct leaves.modulus
    from "sqlanon_leaves" as leaves
),

origin as (
    select min(numbered.rowid) as first_row
    from "sqlanon_stacked" as numbered
),

placed as (
    select
        stacked.pile,
        stacked.rowid - origin.first_row - stripe_stacks.first_place as place
    from "sqlanon_stacked" as stacked
    cross join origin
    inner join "sqlanon_stripe_stacks" as stripe_stacks
        on stacked.pile = stripe_stacks.pile
)

select leaves.class_id
from placed
cross join moduli
inner join "sqlanon_leaves" as leaves
    on moduli.modulus = leaves.modulus and placed.place % moduli.modulus = leaves.residue
order by placed.pile * 4294967296 + leaves.class_id
