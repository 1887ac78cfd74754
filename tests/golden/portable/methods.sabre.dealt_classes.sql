with moduli as (
    select distinct leaves.modulus
    from "sqlanon_leaves" as leaves
),

placed as (
    select
        stacked.stripe,
        stacked.block,
        stripe_stacks.start + stacked.turn as place
    from "sqlanon_stacked" as stacked
    inner join "sqlanon_stripe_stacks" as stripe_stacks
        on stacked.stripe = stripe_stacks.stripe and stacked.block = stripe_stacks.block
),

-- The residues have a relation of their own: only so the join below compares columns, which an engine hashes.
residues as (
    select
        placed.stripe,
        placed.block,
        placed.place,
        moduli.modulus,
        placed.place % moduli.modulus as residue
    from placed
    cross join moduli
),

dealt as (
    select
        residues.stripe,
        residues.block,
        residues.place,
        leaves.class_id
    from residues
    inner join "sqlanon_leaves" as leaves
        on residues.modulus = leaves.modulus and residues.residue = leaves.residue
)

select
    dealt.stripe,
    dealt.block,
    row_number() over (
        partition by dealt.stripe, dealt.block order by dealt.class_id, dealt.place
    ) - 1 as turn,
    dealt.class_id
from dealt
