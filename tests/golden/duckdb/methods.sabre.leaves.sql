-- relation: leaves
-- grain: one row per class
-- inputs: none
-- outputs: class_id, modulus, residue
-- paper: Cao, Karras, Kalnis & Tan 2011, redistribution, by residues
-- The deck of all records, bucket after bucket, is halved into its even and its odd places, and these
-- again, as long as the search allows it. A part that is not halved is a class: the places that leave
-- its residue when divided by its modulus. Classes are numbered such that the two halves of a part
-- are neighbours.
with halves as (
    select listed.half
    from (
        values
        (0),
        (1)
    ) as listed (half)
),

parts_0 as (
    select
        listed.residue,
        listed.residue as turn
    from (
        values
        (0),
        (1),
        (2)
    ) as listed (residue)
),

parts_1 as (
    select
        parts.residue + halves.half * 3 as residue,
        2 * parts.turn + halves.half as turn
    from parts_0 as parts
    cross join halves
    where
        (parts.residue >= 0 and parts.residue < 3)
),

parts_2 as (
    select
        parts.residue + halves.half * 6 as residue,
        2 * parts.turn + halves.half as turn
    from parts_1 as parts
    cross join halves
    where
        (parts.residue >= 0 and parts.residue < 6)
),

parts_3 as (
    select
        parts.residue + halves.half * 12 as residue,
        2 * parts.turn + halves.half as turn
    from parts_2 as parts
    cross join halves
    where
        (parts.residue >= 0 and parts.residue < 12)
),

classes as (
    select
        parts.residue,
        24 as modulus,
        parts.turn
    from parts_3 as parts
)

select
    cast(row_number() over (order by classes.turn) - 1 as integer) as class_id,
    classes.modulus,
    classes.residue
from classes
