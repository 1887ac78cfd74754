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
),

-- The residues have a relation of their own: only so the join below compares columns, which DuckDB hashes.
residues as (
    select
        placed.pile,
        moduli.modulus,
        placed.place % moduli.modulus as residue
    from placed
    cross join moduli
)

select leaves.class_id
from residues
inner join "sqlanon_leaves" as leaves
    on residues.modulus = leaves.modulus and residues.residue = leaves.residue
order by residues.pile * 4294967296 + leaves.class_id
