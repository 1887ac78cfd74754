-- relation: levels
-- grain: one row
-- inputs: classes, class_cover, ledger?
-- outputs: precision, minimal_distortion, q*_mean_level
-- paper: Sweeney 2002, Prec; Samarati 2001, minimal distortion; Kiran & Kavya 2012, §5.2
-- How many levels of their hierarchies the published labels lie above values; those of a suppressed record
-- lie at the root. Where a label is none of the hierarchy, nothing is said.
with cells_climbed as (
    select
        classes.records,
        class_cover.q1_level,
        class_cover.q2_level
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
),

climbed as (
    select
        cast(sum(cells.records) as double) as records,
        cast(
            case
                when count(cells.q1_level) = count(*)
                    then sum(cells.records * cells.q1_level)
            end as double
        ) as q1_levels,
        cast(
            case
                when count(cells.q2_level) = count(*)
                    then sum(cells.records * cells.q2_level)
            end as double
        ) as q2_levels
    from cells_climbed as cells
)

select
    round(
        1 - (
            climbed.q1_levels / 3
            + climbed.q2_levels / 1
        ) / (2 * climbed.records),
        9
    ) as precision,
    (
        climbed.q1_levels
        + climbed.q2_levels
    ) as minimal_distortion,
    round(climbed.q1_levels / climbed.records, 9) as q1_mean_level,
    round(climbed.q2_levels / climbed.records, 9) as q2_mean_level
from climbed
