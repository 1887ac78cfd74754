-- relation: class_cover
-- grain: one row per equivalence class
-- inputs: cell_texts, domain_*, cells_*, set_members_*
-- outputs: class_id, q*_values|q*_records|q*_level
-- paper: Samarati 2001, §3 (levels)
-- What each published cell stands for: how many values of the domain; how many records of the source that
-- have one of them; and of a label how many levels of its hierarchy it lies above a value. NULL where a
-- cell cannot be read.
with through_q1 as (
    select
        domain.code,
        domain.records,
        row_number() over (order by domain.code) as values_through,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as records_through
    from "sqlanon_domain_q1" as domain
),

labels_q1 as (
    select
        0 as level,
        domain.level_0 as label
    from "sqlanon_domain_q1" as domain
    union
    select
        1 as level,
        '*' as label
),

levels_q1 as (
    select
        labels.label,
        min(labels.level) as level
    from labels_q1 as labels
    group by labels.label
),

cover_q1 as (
    select
        cells.class_id,
        highs.values_through - lows.values_through + 1 as domain_values,
        highs.records_through - lows.records_through + lows.records as records
    from "sqlanon_covered_q1" as cells
    inner join through_q1 as lows
        on cells.low = lows.code
    inner join through_q1 as highs
        on cells.high = highs.code
),

through_q2 as (
    select
        domain.code,
        domain.records,
        row_number() over (order by domain.code) as values_through,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as records_through
    from "sqlanon_domain_q2" as domain
),

labels_q2 as (
    select
        0 as level,
        domain.level_0 as label
    from "sqlanon_domain_q2" as domain
    union
    select
        1 as level,
        domain.level_1 as label
    from "sqlanon_domain_q2" as domain
    union
    select
        2 as level,
        domain.level_2 as label
    from "sqlanon_domain_q2" as domain
    union
    select
        3 as level,
        domain.level_3 as label
    from "sqlanon_domain_q2" as domain
    union
    select
        4 as level,
        '*' as label
),

levels_q2 as (
    select
        labels.label,
        min(labels.level) as level
    from labels_q2 as labels
    group by labels.label
),

cover_q2 as (
    select
        cells.class_id,
        highs.values_through - lows.values_through + 1 as domain_values,
        highs.records_through - lows.records_through + lows.records as records
    from "sqlanon_covered_q2" as cells
    inner join through_q2 as lows
        on cells.low = lows.code
    inner join through_q2 as highs
        on cells.high = highs.code
),

through_q3 as (
    select
        domain.code,
        domain.records,
        row_number() over (order by domain.code) as values_through,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as records_through
    from "sqlanon_domain_q3" as domain
),

labels_q3 as (
    select
        0 as level,
        domain.level_0 as label
    from "sqlanon_domain_q3" as domain
    union
    select
        1 as level,
        domain.level_1 as label
    from "sqlanon_domain_q3" as domain
    union
    select
        2 as level,
        domain.level_2 as label
    from "sqlanon_domain_q3" as domain
    union
    select
        3 as level,
        '*' as label
),

levels_q3 as (
    select
        labels.label,
        min(labels.level) as level
    from labels_q3 as labels
    group by labels.label
),

cover_q3 as (
    select
        cells.class_id,
        highs.values_through - lows.values_through + 1 as domain_values,
        highs.records_through - lows.records_through + lows.records as records
    from "sqlanon_covered_q3" as cells
    inner join through_q3 as lows
        on cells.low = lows.code
    inner join through_q3 as highs
        on cells.high = highs.code
)

select
    cell_texts.class_id,
    cover_q1.domain_values as q1_values,
    cover_q1.records as q1_records,
    levels_q1.level as q1_level,
    cover_q2.domain_values as q2_values,
    cover_q2.records as q2_records,
    levels_q2.level as q2_level,
    cover_q3.domain_values as q3_values,
    cover_q3.records as q3_records,
    levels_q3.level as q3_level
from "sqlanon_cell_texts" as cell_texts
left join cover_q1
    on cell_texts.class_id = cover_q1.class_id
left join levels_q1
    on cell_texts.p1 is not distinct from levels_q1.label
left join cover_q2
    on cell_texts.class_id = cover_q2.class_id
left join levels_q2
    on cell_texts.p2 is not distinct from levels_q2.label
left join cover_q3
    on cell_texts.class_id = cover_q3.class_id
left join levels_q3
    on cell_texts.p3 is not distinct from levels_q3.label
