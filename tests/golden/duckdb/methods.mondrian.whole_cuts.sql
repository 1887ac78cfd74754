with parted as (
    select
        parted_positions.whole,
        parted_positions.attribute,
        count(*) as combinations
    from "sqlanon_tree_parted_0_positions" as parted_positions
    group by parted_positions.whole, parted_positions.attribute
),

kept as (
    select
        parted_positions.whole,
        parted_cuts.attribute,
        parted_cuts.dealt,
        parted_cuts.cut,
        count(*) as combinations
    from "sqlanon_tree_parted_0_close" as parted_cuts
    inner join "sqlanon_tree_parted_0_positions" as parted_positions
        on parted_cuts.node = parted_positions.node and parted_cuts.attribute = parted_positions.attribute
    group by parted_positions.whole, parted_cuts.attribute, parted_cuts.dealt, parted_cuts.cut
)

select
    allowed_cuts.node,
    allowed_cuts.attribute,
    allowed_cuts.dealt,
    allowed_cuts.cut,
    allowed_cuts.position,
    allowed_cuts.records
from "sqlanon_tree_allowed" as allowed_cuts
inner join parted
    on allowed_cuts.node = parted.whole and allowed_cuts.attribute = parted.attribute
inner join kept
    on
        allowed_cuts.node = kept.whole
        and allowed_cuts.attribute = kept.attribute
        and allowed_cuts.dealt = kept.dealt
        and allowed_cuts.cut = kept.cut
where parted.combinations = kept.combinations
