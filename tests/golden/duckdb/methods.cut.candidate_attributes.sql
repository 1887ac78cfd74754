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
        cast(sum(open_parts.records) as bigint) as records
    from "sqlanon_tree_first" as open_parts
    inner join "sqlanon_scale_q1" as scale_q1
        on open_parts.q1 = scale_q1.code
    inner join "sqlanon_scale_q2" as scale_q2
        on open_parts.q2 = scale_q2.code
    group by open_parts.node
    having sum(open_parts.records) >= 4
),

attributes as (
    select listed.attribute
    from (values (1), (2)) as listed (attribute)
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
                    ) * 500000000
            when 2
                then
                    (
                        moments.square_2
                        - moments.sum_2 * moments.sum_2 / moments.records
                    ) * 500000000
        end as spread
    from moments
    cross join attributes
    where
        case attributes.attribute
            when 1 then moments.high_1 - moments.low_1
            when 2 then moments.high_2 - moments.low_2
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
