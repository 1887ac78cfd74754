-- relation: entropies
-- grain: one row
-- inputs: classes, class_cover, domain_*, ledger?
-- outputs: q*_non_uniform_entropy
-- paper: Gionis & Tassa 2009, non-uniform entropy: the mean of -log2 P(value | cell)
-- Which value a record has need not be known: P(value | cell) is a quotient of counts, so its logarithms
-- are a sum over the cells less one over the values of the source. That holds where the records that are
-- published and suppressed are the source's; where they are not as many, nothing is said.
with source_nats as (
    select
        1 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q1" as domain
    union all
    select
        2 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q2" as domain
    union all
    select
        3 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q3" as domain
    union all
    select
        4 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q4" as domain
    union all
    select
        5 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q5" as domain
    union all
    select
        6 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q6" as domain
    union all
    select
        7 as place,
        cast(sum(domain.records) as double) as records,
        sum(domain.records * ln(cast(greatest(domain.records, 1) as double))) as nats
    from "sqlanon_domain_q7" as domain

),

cells_alike as (
    select
        1 as place,
        classes.records,
        cast(class_cover.q1_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
    union all
    select
        2 as place,
        classes.records,
        cast(class_cover.q2_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
    union all
    select
        3 as place,
        classes.records,
        cast(class_cover.q3_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
    union all
    select
        4 as place,
        classes.records,
        cast(class_cover.q4_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
    union all
    select
        5 as place,
        classes.records,
        cast(class_cover.q5_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
    union all
    select
        6 as place,
        classes.records,
        cast(class_cover.q6_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
    union all
    select
        7 as place,
        classes.records,
        cast(class_cover.q7_records as double) as alike
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id

),

published_nats as (
    select
        cells.place,
        sum(cells.records) as records,
        case
            when count(cells.alike) = count(*) and min(cells.alike) > 0
                then sum(cells.records * ln(greatest(cells.alike, 1e0)))
        end as nats
    from cells_alike as cells
    group by cells.place
),

nats_lost as (
    select
        sources.place,
        sums.nats - sources.nats as lost,
        sources.records * ln(sources.records) - sources.nats as greatest_loss
    from source_nats as sources
    inner join published_nats as sums
        on sources.place = sums.place and sources.records = sums.records
),

shares_lost as (
    select
        lost.place,
        case
            when lost.lost is null then null
            when lost.greatest_loss < 1e-9 then 0e0
            else abs(round(lost.lost / lost.greatest_loss, 9))
        end as share
    from nats_lost as lost
)

select
    max(case when shares.place = 1 then shares.share end) as q1_non_uniform_entropy,
    max(case when shares.place = 2 then shares.share end) as q2_non_uniform_entropy,
    max(case when shares.place = 3 then shares.share end) as q3_non_uniform_entropy,
    max(case when shares.place = 4 then shares.share end) as q4_non_uniform_entropy,
    max(case when shares.place = 5 then shares.share end) as q5_non_uniform_entropy,
    max(case when shares.place = 6 then shares.share end) as q6_non_uniform_entropy,
    max(case when shares.place = 7 then shares.share end) as q7_non_uniform_entropy
from shares_lost as shares
