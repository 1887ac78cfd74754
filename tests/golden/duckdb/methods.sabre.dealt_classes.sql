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
