with recursive "sqlanon_tree_done" as (
    select
        true as is_left,
        cast(first_turn.level as bigint) as level,
        cast(first_turn.lost as bigint) as lost,
        cast(first_turn.gained as bigint) as gained,
        cast(first_turn.node as bigint) as node,
        cast(first_turn.node_loss as bigint) as node_loss,
        cast(first_turn.root as bigint) as root,
        cast(first_turn.cell_id as bigint) as cell_id,
        cast(first_turn.records as bigint) as records,
        cast(first_turn.stratum as bigint) as stratum,
        cast(first_turn.classes as bigint) as classes,
        cast(first_turn.q1 as bigint) as q1,
        cast(first_turn.q2 as bigint) as q2,
        cast(first_turn.q3 as bigint) as q3,
        cast(first_turn.s1 as bigint) as s1
    from "sqlanon_tree_first" as first_turn
    union all
    (
        with "sqlanon_tree_open" as materialized (
            select
                turns.level,
                turns.lost,
                turns.gained,
                turns.node,
                turns.node_loss,
                turns.root,
                turns.cell_id,
                turns.records,
                turns.stratum,
                turns.classes,
                turns.q1,
                turns.q2,
                turns.q3,
                turns.s1
            from "sqlanon_tree_done" as turns
            where turns.is_left
        ),

        "sqlanon_deal_nodes" as materialized (
            -- grain: one row per open node
            -- paper: sqlanon, Split-or-Deal §5
            -- To how many classes each node is to be dealt out.
            select
                open_parts.node,
                min(open_parts.classes) as classes
            from "sqlanon_tree_open" as open_parts
            group by open_parts.node
        ),

        "sqlanon_tree_attributes" as materialized (
            -- grain: one row per node to be dealt out and quasi-identifier
            -- paper: sqlanon, Split-or-Deal §5
            -- Every quasi-identifier is tried: a node is cut until it is one class, however small its spread.
            with sizes as (
                select
                    open_parts.node,
                    cast(sum(open_parts.records) as bigint) as records
                from "sqlanon_tree_open" as open_parts
                inner join "sqlanon_deal_nodes" as deal_nodes
                    on open_parts.node = deal_nodes.node
                where deal_nodes.classes > 1
                group by open_parts.node
            ),

            attributes as (
                select listed.attribute
                from (values (1), (2), (3)) as listed (attribute)
            )

            select
                sizes.node,
                sizes.records,
                attributes.attribute,
                1 as tie_1,
                2 as tie_2,
                3 as tie_3
            from sizes
            cross join attributes
        ),

        "sqlanon_tree_positions" as materialized (
            -- grain: one row per node to be dealt out and quasi-identifier
            -- paper: sqlanon, Split-or-Deal §5
            -- A node of c classes gives the left floor(c / 2) of them, and the same share of its records.
            with halves as (
                select
                    deal_nodes.node,
                    deal_nodes.classes,
                    cast((deal_nodes.classes - deal_nodes.classes % 2) / 2 as bigint) as left_classes
                from "sqlanon_deal_nodes" as deal_nodes
            )

            select
                candidate_attributes.node,
                candidate_attributes.attribute,
                candidate_attributes.records,
                cast(
                    (
                        candidate_attributes.records * halves.left_classes
                        - candidate_attributes.records * halves.left_classes % halves.classes
                    ) / halves.classes as bigint
                ) as cut_1,
                halves.left_classes,
                halves.classes
            from "sqlanon_tree_attributes" as candidate_attributes
            inner join halves
                on candidate_attributes.node = halves.node
        ),

        "sqlanon_tree_ranked" as materialized (
            -- grain: one row per open part and candidate quasi-identifier of its node
            -- paper: sqlanon, Split-or-Deal §4
            -- The parts of a node in the order of a quasi-identifier: how many records lie before each, in the
            -- node and, where it may be dealt, in its block: the records of its stratum. A running sum of doubles
            -- is exact up to 2^53, and takes DuckDB half as long as one of integers.
            with keyed as (
                select
                    open_parts.node,
                    open_parts.root,
                    candidate_attributes.attribute,
                    candidate_attributes.records as node_records,
                    open_parts.cell_id,
                    case candidate_attributes.attribute
                        when 1 then open_parts.q1
                        when 2 then open_parts.q2
                        when 3 then open_parts.q3
                    end as key,
                    case candidate_attributes.tie_1
                        when 1 then open_parts.q1
                        when 2 then open_parts.q2
                        when 3 then open_parts.q3
                    end as tie_1,
                    case candidate_attributes.tie_2
                        when 1 then open_parts.q1
                        when 2 then open_parts.q2
                        when 3 then open_parts.q3
                    end as tie_2,
                    case candidate_attributes.tie_3
                        when 1 then open_parts.q1
                        when 2 then open_parts.q2
                        when 3 then open_parts.q3
                    end as tie_3,
                    open_parts.records,
                    open_parts.stratum,
                    open_parts.q1,
                    open_parts.q2,
                    open_parts.q3,
                    open_parts.s1
                from "sqlanon_tree_open" as open_parts
                inner join "sqlanon_tree_attributes" as candidate_attributes
                    on open_parts.node = candidate_attributes.node
            ),

            ranked as (
                select
                    keyed.node,
                    keyed.root,
                    keyed.attribute,
                    keyed.node_records,
                    keyed.cell_id,
                    keyed.key,
                    keyed.records,
                    cast(
                        sum(cast(keyed.records as double)) over (
                            partition by keyed.node, keyed.attribute
                            order by keyed.key, keyed.tie_1, keyed.tie_2, keyed.tie_3, keyed.cell_id
                            rows unbounded preceding
                        ) - keyed.records as bigint
                    ) as before,
                    keyed.stratum,
                    keyed.q1,
                    keyed.q2,
                    keyed.q3,
                    keyed.s1
                from keyed
            )

            select
                ranked.node,
                ranked.root,
                ranked.attribute,
                ranked.node_records,
                ranked.cell_id,
                ranked.key,
                ranked.records,
                ranked.before,
                cast(
                    sum(cast(ranked.records as double)) over (
                        partition by ranked.node, ranked.attribute, ranked.stratum
                        order by ranked.before
                        rows unbounded preceding
                    ) - ranked.records as bigint
                ) as block_before,
                ranked.stratum,
                ranked.q1,
                ranked.q2,
                ranked.q3,
                ranked.s1
            from ranked
        ),

        "sqlanon_tree_blocks" as materialized (
            -- grain: one row per open node, candidate quasi-identifier and block
            -- paper: sqlanon, Split-or-Deal §5
            -- How many records of each block a dealt cut gives to the left: its share of the block, rounded down
            -- or up so that the blocks add up. The blocks to be dealt out to a number of classes are cut by the
            -- share of the classes instead of the records: so the bounds of Stack & Deal hold at every level.
            with blocks as (
                select
                    ranked_parts.node,
                    ranked_parts.attribute,
                    ranked_parts.stratum,
                    cast(sum(ranked_parts.records) as bigint) as block
                from "sqlanon_tree_ranked" as ranked_parts
                group by ranked_parts.node, ranked_parts.attribute, ranked_parts.stratum
            ),

            reaches as (
                select
                    blocks.node,
                    blocks.attribute,
                    blocks.stratum,
                    cast(
                        sum(blocks.block) over (
                            partition by blocks.node, blocks.attribute order by blocks.stratum rows unbounded preceding
                        ) as bigint
                    ) as reached,
                    blocks.block
                from blocks
            ),

            portions as (
                select
                    cut_positions.node,
                    cut_positions.attribute,
                    cut_positions.left_classes as part_1,
                    cut_positions.classes as whole
                from "sqlanon_tree_positions" as cut_positions
            )

            select
                reaches.node,
                reaches.attribute,
                reaches.stratum,
                cast(
                    (
                        reaches.reached * portions.part_1
                        - reaches.reached * portions.part_1 % portions.whole
                        - (reaches.reached - reaches.block) * portions.part_1
                        + (reaches.reached - reaches.block) * portions.part_1 % portions.whole
                    ) / portions.whole as bigint
                ) as cut_1
            from reaches
            inner join portions
                on reaches.node = portions.node and reaches.attribute = portions.attribute
        ),

        "sqlanon_tree_allowed" as materialized (
            -- grain: one row per node to be dealt out and quasi-identifier
            -- paper: sqlanon, Split-or-Deal §5
            -- Cuts that deal a node out need no test: they keep the bounds of Stack & Deal.
            select
                cut_positions.node,
                cut_positions.attribute,
                1 as dealt,
                1 as cut,
                cut_positions.cut_1 as position,
                cut_positions.records
            from "sqlanon_tree_positions" as cut_positions
        ),

        "sqlanon_tree_losses" as materialized (
            -- grain: one row per allowed cut
            -- paper: Xu et al. 2006, NCP; sqlanon, Split-or-Deal §4
            -- The losses of the two sides of a cut when they are published. A part is on the left of every cut
            -- from some place on, and on the right of every cut up to some place: one grouping by these two
            -- gives the boxes of all cuts. The shares of a block are rounded, so a side of a dealt cut may be
            -- priced a little too high.
            with wanted as (
                select distinct
                    allowed_cuts.node,
                    allowed_cuts.attribute,
                    allowed_cuts.dealt
                from "sqlanon_tree_allowed" as allowed_cuts
            ),

            spans as (
                select
                    ranked_parts.node,
                    ranked_parts.attribute,
                    wanted.dealt,
                    case
                        when ranked_parts.before < cut_positions.cut_1 then 1
                        else 2
                    end as first_left,
                    case
                        when ranked_parts.before + ranked_parts.records > cut_positions.cut_1 then 1
                        else 0
                    end as last_right,
                    ranked_parts.q1,
                    ranked_parts.q2,
                    ranked_parts.q3
                from "sqlanon_tree_ranked" as ranked_parts
                inner join wanted
                    on ranked_parts.node = wanted.node and ranked_parts.attribute = wanted.attribute and wanted.dealt = 0
                inner join "sqlanon_tree_positions" as cut_positions
                    on ranked_parts.node = cut_positions.node and ranked_parts.attribute = cut_positions.attribute
                union all
                select
                    ranked_parts.node,
                    ranked_parts.attribute,
                    wanted.dealt,
                    case
                        when ranked_parts.block_before < block_cuts.cut_1 then 1
                        else 2
                    end as first_left,
                    case
                        when ranked_parts.block_before + ranked_parts.records > block_cuts.cut_1 then 1
                        else 0
                    end as last_right,
                    ranked_parts.q1,
                    ranked_parts.q2,
                    ranked_parts.q3
                from "sqlanon_tree_ranked" as ranked_parts
                inner join wanted
                    on ranked_parts.node = wanted.node and ranked_parts.attribute = wanted.attribute and wanted.dealt = 1
                inner join "sqlanon_tree_blocks" as block_cuts
                    on
                        ranked_parts.node = block_cuts.node
                        and ranked_parts.attribute = block_cuts.attribute
                        and ranked_parts.stratum = block_cuts.stratum
            ),

            -- Parts alike in where they lie, and then the box of the parts that enter a side at a place.
            stretches as (
                select
                    spans.node,
                    spans.attribute,
                    spans.dealt,
                    spans.first_left,
                    spans.last_right,
                    min(spans.q1) as low_q1,
                    max(spans.q1) as high_q1,
                    min(spans.q2) as low_q2,
                    max(spans.q2) as high_q2,
                    min(spans.q3) as low_q3,
                    max(spans.q3) as high_q3
                from spans
                group by spans.node, spans.attribute, spans.dealt, spans.first_left, spans.last_right
            ),

            pieces as (
                select
                    stretches.node,
                    stretches.attribute,
                    stretches.dealt,
                    1 as is_left,
                    stretches.first_left as cut,
                    min(stretches.low_q1) as low_q1,
                    max(stretches.high_q1) as high_q1,
                    min(stretches.low_q2) as low_q2,
                    max(stretches.high_q2) as high_q2,
                    min(stretches.low_q3) as low_q3,
                    max(stretches.high_q3) as high_q3
                from stretches
                group by stretches.node, stretches.attribute, stretches.dealt, stretches.first_left
                union all
                select
                    stretches.node,
                    stretches.attribute,
                    stretches.dealt,
                    0 as is_left,
                    stretches.last_right as cut,
                    min(stretches.low_q1) as low_q1,
                    max(stretches.high_q1) as high_q1,
                    min(stretches.low_q2) as low_q2,
                    max(stretches.high_q2) as high_q2,
                    min(stretches.low_q3) as low_q3,
                    max(stretches.high_q3) as high_q3
                from stretches
                group by stretches.node, stretches.attribute, stretches.dealt, stretches.last_right
            ),

            boxes as (
                select
                    allowed_cuts.node,
                    allowed_cuts.attribute,
                    allowed_cuts.dealt,
                    allowed_cuts.cut,
                    allowed_cuts.position,
                    allowed_cuts.records,
                    pieces.is_left,
                    min(pieces.low_q1) as low_q1,
                    max(pieces.high_q1) as high_q1,
                    min(pieces.low_q2) as low_q2,
                    max(pieces.high_q2) as high_q2,
                    min(pieces.low_q3) as low_q3,
                    max(pieces.high_q3) as high_q3
                from "sqlanon_tree_allowed" as allowed_cuts
                inner join pieces
                    on
                        allowed_cuts.node = pieces.node
                        and allowed_cuts.attribute = pieces.attribute
                        and allowed_cuts.dealt = pieces.dealt
                where
                    case
                        when pieces.is_left = 1 then pieces.cut <= allowed_cuts.cut
                        else pieces.cut >= allowed_cuts.cut
                    end
                group by
                    allowed_cuts.node,
                    allowed_cuts.attribute,
                    allowed_cuts.dealt,
                    allowed_cuts.cut,
                    allowed_cuts.position,
                    allowed_cuts.records,
                    pieces.is_left
            ),

            ends as (
                select
                    boxes.node,
                    boxes.attribute,
                    boxes.dealt,
                    boxes.cut,
                    boxes.position,
                    boxes.records,
                    boxes.is_left,
                    case listed.scale
                        when 1 then cast(boxes.low_q1 as bigint) * 3 + 0
                        when 2 then cast(boxes.low_q2 as bigint) * 3 + 1
                        when 3 then cast(boxes.low_q3 as bigint) * 3 + 2
                    end as low,
                    case listed.scale
                        when 1 then cast(boxes.high_q1 as bigint) * 3 + 0
                        when 2 then cast(boxes.high_q2 as bigint) * 3 + 1
                        when 3 then cast(boxes.high_q3 as bigint) * 3 + 2
                    end as high
                from boxes
                cross join (
                    values (1), (2), (3)
                ) as listed (scale)
            ),

            box_losses as (
                select
                    ends.node,
                    ends.attribute,
                    ends.dealt,
                    ends.cut,
                    ends.position,
                    ends.records,
                    ends.is_left,
                    case
                        when low.node_0 = high.node_0 then low.loss_0
                        when low.node_1 = high.node_1 then low.loss_1
                        when low.node_2 = high.node_2 then low.loss_2
                        else coalesce(high.axis - low.axis, low.units)
                    end as loss
                from ends
                inner join "sqlanon_box_scales" as low
                    on ends.low = low.scale_code
                inner join "sqlanon_box_scales" as high
                    on ends.high = high.scale_code
            ),

            side_losses as (
                select
                    box_losses.node,
                    box_losses.attribute,
                    box_losses.dealt,
                    box_losses.cut,
                    box_losses.position,
                    box_losses.records,
                    case when box_losses.is_left = 1 then box_losses.position * box_losses.loss else 0 end as left_loss,
                    case
                        when box_losses.is_left = 0 then (box_losses.records - box_losses.position) * box_losses.loss
                        else 0
                    end as right_loss
                from box_losses
            )

            select
                side_losses.node,
                side_losses.attribute,
                side_losses.dealt,
                side_losses.cut,
                side_losses.position,
                side_losses.records,
                cast(sum(side_losses.left_loss) as bigint) as left_loss,
                cast(sum(side_losses.right_loss) as bigint) as right_loss
            from side_losses
            group by
                side_losses.node,
                side_losses.attribute,
                side_losses.dealt,
                side_losses.cut,
                side_losses.position,
                side_losses.records
        ),

        "sqlanon_tree_begun" as materialized (
            -- grain: one row
            -- Where a level of the tree begins: what all classes lose, how much the level before saved, and the
            -- highest number that a node has.
            select
                max(open_parts.level) as level,
                max(open_parts.lost) as lost,
                max(open_parts.gained) as gained,
                max(open_parts.node) as last_node
            from "sqlanon_tree_open" as open_parts
        ),

        "sqlanon_tree_best" as materialized (
            -- grain: one row per open node with an allowed cut
            -- paper: sqlanon, Split-or-Deal §4
            -- The cheapest allowed cut of every node, and the numbers of the two nodes it makes.
            with placed as (
                select
                    cut_losses.node,
                    cut_losses.attribute,
                    cut_losses.dealt,
                    cut_losses.cut,
                    cut_losses.position,
                    cut_losses.records,
                    cut_losses.left_loss,
                    cut_losses.right_loss,
                    row_number() over (
                        partition by cut_losses.node
                        order by
                            cut_losses.left_loss + cut_losses.right_loss,
                            cut_losses.dealt,
                            cut_losses.attribute,
                            cut_losses.cut
                    ) as choice
                from "sqlanon_tree_losses" as cut_losses
            )

            select
                placed.node,
                placed.attribute,
                placed.dealt,
                placed.cut,
                placed.position,
                placed.records,
                placed.left_loss,
                placed.right_loss,
                cast(begun_level.last_node - 1 + 2 * row_number() over (order by placed.node) as integer) as left_node,
                cast(begun_level.last_node + 2 * row_number() over (order by placed.node) as integer) as right_node
            from placed
            cross join "sqlanon_tree_begun" as begun_level
            where placed.choice = 1
        ),

        "sqlanon_tree_cut" as materialized (
            -- grain: one row per cell and new node that holds records of it
            -- paper: sqlanon, Split-or-Deal §4
            -- The parts of the nodes that are cut, on the two sides of the cut.
            with shares as (
                select
                    best_cuts.left_node,
                    best_cuts.right_node,
                    best_cuts.left_loss,
                    best_cuts.right_loss,
                    ranked_parts.root,
                    ranked_parts.cell_id,
                    ranked_parts.records,
                    ranked_parts.stratum,
                    ranked_parts.q1,
                    ranked_parts.q2,
                    ranked_parts.q3,
                    ranked_parts.s1,
                    case best_cuts.dealt
                        when 0 then best_cuts.position - ranked_parts.before
                        else case best_cuts.cut
                            when 1 then block_cuts.cut_1
                        end - ranked_parts.block_before
                    end as room
                from "sqlanon_tree_ranked" as ranked_parts
                inner join "sqlanon_tree_best" as best_cuts
                    on ranked_parts.node = best_cuts.node and ranked_parts.attribute = best_cuts.attribute
                inner join "sqlanon_tree_blocks" as block_cuts
                    on
                        ranked_parts.node = block_cuts.node
                        and ranked_parts.attribute = block_cuts.attribute
                        and ranked_parts.stratum = block_cuts.stratum
            )

            select
                shares.left_node as node,
                shares.left_loss as node_loss,
                shares.root,
                shares.cell_id,
                case when shares.room < shares.records then shares.room else shares.records end as records,
                shares.stratum,
                shares.q1,
                shares.q2,
                shares.q3,
                shares.s1
            from shares
            where shares.room > 0
            union all
            select
                shares.right_node as node,
                shares.right_loss as node_loss,
                shares.root,
                shares.cell_id,
                case when shares.room > 0 then shares.records - shares.room else shares.records end as records,
                shares.stratum,
                shares.q1,
                shares.q2,
                shares.q3,
                shares.s1
            from shares
            where shares.room < shares.records
        ),

        "sqlanon_tree_done_in" as (
            -- grain: one row per cell and new class that holds records of it
            -- A node without an allowed cut is a class; after the last level, so are the new nodes.
            select
                open_parts.node,
                open_parts.root,
                open_parts.cell_id,
                open_parts.records,
                open_parts.level
            from "sqlanon_tree_open" as open_parts
            left join "sqlanon_tree_best" as best_cuts
                on open_parts.node = best_cuts.node
            where best_cuts.node is null
        ),

        "sqlanon_tree_left_in" as (
            -- grain: one row per cell and new node that holds records of it
            -- paper: sqlanon, Split-or-Deal §5
            -- The new nodes, for the next level, and to how many classes each is to be dealt out.
            with shares as (
                select
                    best_cuts.left_node as node,
                    cut_positions.left_classes as classes
                from "sqlanon_tree_best" as best_cuts
                inner join "sqlanon_tree_positions" as cut_positions
                    on best_cuts.node = cut_positions.node and best_cuts.attribute = cut_positions.attribute
                union all
                select
                    best_cuts.right_node as node,
                    cut_positions.classes - cut_positions.left_classes as classes
                from "sqlanon_tree_best" as best_cuts
                inner join "sqlanon_tree_positions" as cut_positions
                    on best_cuts.node = cut_positions.node and best_cuts.attribute = cut_positions.attribute
            )

            select
                begun_level.level + 1 as level,
                begun_level.lost,
                begun_level.gained,
                cut_parts.node,
                cut_parts.node_loss,
                cut_parts.root,
                cut_parts.cell_id,
                cut_parts.records,
                cut_parts.stratum,
                shares.classes,
                cut_parts.q1,
                cut_parts.q2,
                cut_parts.q3,
                cut_parts.s1
            from "sqlanon_tree_cut" as cut_parts
            inner join shares
                on cut_parts.node = shares.node
            cross join "sqlanon_tree_begun" as begun_level
        )

        select
            true as is_left,
            cast(next_turn.level as bigint) as level,
            cast(next_turn.lost as bigint) as lost,
            cast(next_turn.gained as bigint) as gained,
            cast(next_turn.node as bigint) as node,
            cast(next_turn.node_loss as bigint) as node_loss,
            cast(next_turn.root as bigint) as root,
            cast(next_turn.cell_id as bigint) as cell_id,
            cast(next_turn.records as bigint) as records,
            cast(next_turn.stratum as bigint) as stratum,
            cast(next_turn.classes as bigint) as classes,
            cast(next_turn.q1 as bigint) as q1,
            cast(next_turn.q2 as bigint) as q2,
            cast(next_turn.q3 as bigint) as q3,
            cast(next_turn.s1 as bigint) as s1
        from "sqlanon_tree_left_in" as next_turn
        union all
        select
            false as is_left,
            cast(done_now.level as bigint) as level,
            cast(null as bigint) as lost,
            cast(null as bigint) as gained,
            cast(done_now.node as bigint) as node,
            cast(null as bigint) as node_loss,
            cast(done_now.root as bigint) as root,
            cast(done_now.cell_id as bigint) as cell_id,
            cast(done_now.records as bigint) as records,
            cast(null as bigint) as stratum,
            cast(null as bigint) as classes,
            cast(null as bigint) as q1,
            cast(null as bigint) as q2,
            cast(null as bigint) as q3,
            cast(null as bigint) as s1
        from "sqlanon_tree_done_in" as done_now
    )
)

select
    turns.node,
    turns.root,
    turns.cell_id,
    turns.records,
    turns.level
from "sqlanon_tree_done" as turns
where not turns.is_left
