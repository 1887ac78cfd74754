-- relation: candidate_attributes
-- grain: one row per open node and quasi-identifier worth a cut
-- inputs: open_parts, scale_*
-- outputs: node, records, attribute, tie_1, tie_2, tie_3
-- paper: sqlanon, Split-or-Deal §3
-- A node may be cut by the quasi-identifiers with more than one code in it, those first whose codes
-- spread the records widest. Records alike in one are put in order by the three widest.
with moments as (
    select
        open_parts.node,
        min(open_parts.q1) as low_1,
        max(open_parts.q1) as high_1,
        cast(sum(open_parts.records * scale_q1.spread) as double) as sum_1,
        cast(
            sum(open_parts.records * scale_q1.spread * scale_q1.spread) as double
        ) as square_1,
        min(open_parts.q2) as low_2,
        max(open_parts.q2) as high_2,
        cast(sum(open_parts.records * scale_q2.spread) as double) as sum_2,
        cast(
            sum(open_parts.records * scale_q2.spread * scale_q2.spread) as double
        ) as square_2,
        min(open_parts.q3) as low_3,
        max(open_parts.q3) as high_3,
        cast(sum(open_parts.records * scale_q3.spread) as double) as sum_3,
        cast(
            sum(open_parts.records * scale_q3.spread * scale_q3.spread) as double
        ) as square_3,
        min(open_parts.q4) as low_4,
        max(open_parts.q4) as high_4,
        cast(sum(open_parts.records * scale_q4.spread) as double) as sum_4,
        cast(
            sum(open_parts.records * scale_q4.spread * scale_q4.spread) as double
        ) as square_4,
        min(open_parts.q5) as low_5,
        max(open_parts.q5) as high_5,
        cast(sum(open_parts.records * scale_q5.spread) as double) as sum_5,
        cast(
            sum(open_parts.records * scale_q5.spread * scale_q5.spread) as double
        ) as square_5,
        min(open_parts.q6) as low_6,
        max(open_parts.q6) as high_6,
        cast(sum(open_parts.records * scale_q6.spread) as double) as sum_6,
        cast(
            sum(open_parts.records * scale_q6.spread * scale_q6.spread) as double
        ) as square_6,
        min(open_parts.q7) as low_7,
        max(open_parts.q7) as high_7,
        cast(sum(open_parts.records * scale_q7.spread) as double) as sum_7,
        cast(
            sum(open_parts.records * scale_q7.spread * scale_q7.spread) as double
        ) as square_7,
        cast(sum(open_parts.records) as bigint) as records
    from "sqlanon_tree_first" as open_parts
    inner join "sqlanon_scale_q1" as scale_q1
        on open_parts.q1 = scale_q1.code
    inner join "sqlanon_scale_q2" as scale_q2
        on open_parts.q2 = scale_q2.code
    inner join "sqlanon_scale_q3" as scale_q3
        on open_parts.q3 = scale_q3.code
    inner join "sqlanon_scale_q4" as scale_q4
        on open_parts.q4 = scale_q4.code
    inner join "sqlanon_scale_q5" as scale_q5
        on open_parts.q5 = scale_q5.code
    inner join "sqlanon_scale_q6" as scale_q6
        on open_parts.q6 = scale_q6.code
    inner join "sqlanon_scale_q7" as scale_q7
        on open_parts.q7 = scale_q7.code
    group by open_parts.node
    having sum(open_parts.records) >= 20
),

attributes as (
    select listed.attribute
    from (values (1), (2), (3), (4), (5), (6), (7)) as listed (attribute)
),

spreads as (
    select
        moments.node,
        moments.records,
        attributes.attribute,
        case attributes.attribute
            when 1
                then
                    (
                        moments.square_1
                        - moments.sum_1 * moments.sum_1 / moments.records
                    ) * 153846154
            when 2
                then
                    (
                        moments.square_2
                        - moments.sum_2 * moments.sum_2 / moments.records
                    ) * 153846154
            when 3
                then
                    (
                        moments.square_3
                        - moments.sum_3 * moments.sum_3 / moments.records
                    ) * 76923077
            when 4
                then
                    (
                        moments.square_4
                        - moments.sum_4 * moments.sum_4 / moments.records
                    ) * 153846154
            when 5
                then
                    (
                        moments.square_5
                        - moments.sum_5 * moments.sum_5 / moments.records
                    ) * 153846154
            when 6
                then
                    (
                        moments.square_6
                        - moments.sum_6 * moments.sum_6 / moments.records
                    ) * 153846154
            when 7
                then
                    (
                        moments.square_7
                        - moments.sum_7 * moments.sum_7 / moments.records
                    ) * 153846154
        end as spread
    from moments
    cross join attributes
    where
        case attributes.attribute
            when 1 then moments.high_1 - moments.low_1
            when 2 then moments.high_2 - moments.low_2
            when 3 then moments.high_3 - moments.low_3
            when 4 then moments.high_4 - moments.low_4
            when 5 then moments.high_5 - moments.low_5
            when 6 then moments.high_6 - moments.low_6
            when 7 then moments.high_7 - moments.low_7
        end > 0
),

placed as (
    select
        spreads.node,
        spreads.records,
        spreads.attribute,
        row_number() over (partition by spreads.node order by spreads.spread desc, spreads.attribute asc) as place
    from spreads
),

widest as (
    select
        placed.node,
        max(case when placed.place = 1 then placed.attribute else 0 end) as tie_1,
        max(case when placed.place = 2 then placed.attribute else 0 end) as tie_2,
        max(case when placed.place = 3 then placed.attribute else 0 end) as tie_3
    from placed
    group by placed.node
)

select
    placed.node,
    placed.records,
    placed.attribute,
    widest.tie_1,
    widest.tie_2,
    widest.tie_3
from placed
inner join widest
    on placed.node = widest.node
where placed.place <= 2
