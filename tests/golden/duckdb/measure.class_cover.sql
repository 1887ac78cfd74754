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
        domain.level_1 as label
    from "sqlanon_domain_q1" as domain
    union
    select
        2 as level,
        domain.level_2 as label
    from "sqlanon_domain_q1" as domain
    union
    select
        3 as level,
        domain.level_3 as label
    from "sqlanon_domain_q1" as domain
    union
    select
        4 as level,
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
),

through_q4 as (
    select
        domain.code,
        domain.records,
        row_number() over (order by domain.code) as values_through,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as records_through
    from "sqlanon_domain_q4" as domain
),

labels_q4 as (
    select
        0 as level,
        domain.level_0 as label
    from "sqlanon_domain_q4" as domain
    union
    select
        1 as level,
        domain.level_1 as label
    from "sqlanon_domain_q4" as domain
    union
    select
        2 as level,
        domain.level_2 as label
    from "sqlanon_domain_q4" as domain
    union
    select
        3 as level,
        '*' as label
),

levels_q4 as (
    select
        labels.label,
        min(labels.level) as level
    from labels_q4 as labels
    group by labels.label
),

cover_q4 as (
    select
        cells.class_id,
        highs.values_through - lows.values_through + 1 as domain_values,
        highs.records_through - lows.records_through + lows.records as records
    from "sqlanon_covered_q4" as cells
    inner join through_q4 as lows
        on cells.low = lows.code
    inner join through_q4 as highs
        on cells.high = highs.code
),

through_q5 as (
    select
        domain.code,
        domain.records,
        row_number() over (order by domain.code) as values_through,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as records_through
    from "sqlanon_domain_q5" as domain
),

labels_q5 as (
    select
        0 as level,
        domain.level_0 as label
    from "sqlanon_domain_q5" as domain
    union
    select
        1 as level,
        '*' as label
),

levels_q5 as (
    select
        labels.label,
        min(labels.level) as level
    from labels_q5 as labels
    group by labels.label
),

cover_q5 as (
    select
        cells.class_id,
        highs.values_through - lows.values_through + 1 as domain_values,
        highs.records_through - lows.records_through + lows.records as records
    from "sqlanon_covered_q5" as cells
    inner join through_q5 as lows
        on cells.low = lows.code
    inner join through_q5 as highs
        on cells.high = highs.code
),

cover_q6 as (
    select
        members.class_id,
        case when count(domain.code) = count(*) then count(*) end as domain_values,
        case when count(domain.code) = count(*) then cast(sum(domain.records) as bigint) end as records
    from "sqlanon_set_members_q6" as members
    left join "sqlanon_domain_q6" as domain
        on members.code = domain.code
    group by members.class_id
),

through_q7 as (
    select
        domain.code,
        domain.records,
        row_number() over (order by domain.code) as values_through,
        cast(sum(domain.records) over (order by domain.code rows unbounded preceding) as bigint)
            as records_through
    from "sqlanon_domain_q7" as domain
),

cover_q7 as (
    select
        cells.class_id,
        highs.values_through - lows.values_through + 1 as domain_values,
        highs.records_through - lows.records_through + lows.records as records
    from "sqlanon_covered_q7" as cells
    inner join through_q7 as lows
        on cells.low = lows.code
    inner join through_q7 as highs
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
    levels_q3.level as q3_level,
    cover_q4.domain_values as q4_values,
    cover_q4.records as q4_records,
    levels_q4.level as q4_level,
    cover_q5.domain_values as q5_values,
    cover_q5.records as q5_records,
    levels_q5.level as q5_level,
    cover_q6.domain_values as q6_values,
    cover_q6.records as q6_records,
    cover_q7.domain_values as q7_values,
    cover_q7.records as q7_records
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
left join cover_q4
    on cell_texts.class_id = cover_q4.class_id
left join levels_q4
    on cell_texts.p4 is not distinct from levels_q4.label
left join cover_q5
    on cell_texts.class_id = cover_q5.class_id
left join levels_q5
    on cell_texts.p5 is not distinct from levels_q5.label
left join cover_q6
    on cell_texts.class_id = cover_q6.class_id
left join cover_q7
    on cell_texts.class_id = cover_q7.class_id
