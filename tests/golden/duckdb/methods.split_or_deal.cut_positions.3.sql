-- relation: cut_positions
-- grain: one row per open node and candidate quasi-identifier
-- inputs: ranked_parts
-- outputs: node, attribute, records, cut_*
-- paper: sqlanon, Split-or-Deal §3
-- Where a node may be cut: how many records go to the left, in ascending order. Fixed shares of the
-- node, unless the records of a value stay together; the border between two values that is nearest to
-- each share and leaves at least 15 % on either side, and both borders of a value that holds more than
-- half of the node. Its cuts are columns: with a row for each of them DuckDB takes 3 to 7 % longer
-- for a level of 20,000 cells, and 27 to 46 % longer for one of a million.
with stretches as (
    select
        ranked_parts.node,
        ranked_parts.attribute,
        ranked_parts.node_records as records,
        min(ranked_parts.before) as start,
        min(ranked_parts.before) + cast(sum(ranked_parts.records) as bigint) as reached
    from "sqlanon_tree_ranked" as ranked_parts
    group by ranked_parts.node, ranked_parts.attribute, ranked_parts.node_records, ranked_parts.key
),

borders as (
    select
        stretches.node,
        stretches.attribute,
        stretches.records,
        max(
            case
                when
                    stretches.reached * 100 <= stretches.records * 50
                    and stretches.reached >= 2
                    and stretches.reached * 100 >= stretches.records * 15
                    then stretches.reached
            end
        ) as below_1,
        min(
            case
                when
                    stretches.reached * 100 > stretches.records * 50
                    and stretches.reached <= stretches.records - 2
                    and stretches.reached * 100 <= stretches.records * 85
                    then stretches.reached
            end
        ) as above_1,
        max(
            case
                when (stretches.reached - stretches.start) * 2 > stretches.records and stretches.start >= 2
                    then stretches.start
            end
        ) as heavy_start,
        max(
            case
                when
                    (stretches.reached - stretches.start) * 2 > stretches.records
                    and stretches.reached <= stretches.records - 2
                    then stretches.reached
            end
        ) as heavy_end
    from stretches
    group by stretches.node, stretches.attribute, stretches.records
),

places as (
    select listed.place
    from (values (1), (2), (3), (4)) as listed (place)
),

-- The same position may be found twice.
positions as (
    select distinct
        borders.node,
        borders.attribute,
        borders.records,
        case places.place
            when 1
                then
                    case
                        when borders.records * 50 < 200 then 2
                        when borders.records * 50 < 200 then borders.records - 2
                        else
                            cast(
                                (borders.records * 50 - borders.records * 50 % 100) / 100
                                as bigint
                            )
                    end
            when 2
                then
                    case
                        when borders.above_1 is null then borders.below_1
                        when borders.below_1 is null then borders.above_1
                        when
                            borders.records * 50 - borders.below_1 * 100
                            <= borders.above_1 * 100 - borders.records * 50
                            then borders.below_1
                        else borders.above_1
                    end
            when 3 then borders.heavy_start
            else borders.heavy_end
        end as position
    from borders
    cross join places
),

placed as (
    select
        positions.node,
        positions.attribute,
        positions.records,
        positions.position,
        row_number() over (partition by positions.node, positions.attribute order by positions.position) as place
    from positions
    where positions.position is not null
)

select
    placed.node,
    placed.attribute,
    placed.records,
    max(case when placed.place = 1 then placed.position end) as cut_1,
    max(case when placed.place = 2 then placed.position end) as cut_2,
    max(case when placed.place = 3 then placed.position end) as cut_3,
    max(case when placed.place = 4 then placed.position end) as cut_4
from placed
group by placed.node, placed.attribute, placed.records
