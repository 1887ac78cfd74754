-- relation: covers
-- grain: one row
-- inputs: classes, class_cover, domain_*, ledger?
-- outputs: ambiguity, iloss
-- paper: Nergiz & Clifton 2007, ambiguity; Xiao & Tao 2006, Kiran & Kavya 2012, §5.2 (Iloss)
-- How many combinations of values a record's cells stand for, and how far each cell is from one value; a
-- suppressed record's stand for all. Where a cell cannot be read, nothing is said.
with domains_covered as (
    select
        cast((select count(*) from "sqlanon_domain_q1") as double) as q1_values,
        cast((select count(*) from "sqlanon_domain_q2") as double) as q2_values,
        cast((select count(*) from "sqlanon_domain_q3") as double) as q3_values,
        cast((select count(*) from "sqlanon_domain_q4") as double) as q4_values,
        cast((select count(*) from "sqlanon_domain_q5") as double) as q5_values,
        cast((select count(*) from "sqlanon_domain_q6") as double) as q6_values,
        cast((select count(*) from "sqlanon_domain_q7") as double) as q7_values
),

cells_covered as (
    select
        classes.records,
        cast(class_cover.q1_values as double) as q1_values,
        cast(class_cover.q2_values as double) as q2_values,
        cast(class_cover.q3_values as double) as q3_values,
        cast(class_cover.q4_values as double) as q4_values,
        cast(class_cover.q5_values as double) as q5_values,
        cast(class_cover.q6_values as double) as q6_values,
        cast(class_cover.q7_values as double) as q7_values
    from "sqlanon_classes" as classes
    inner join "sqlanon_class_cover" as class_cover
        on classes.class_id = class_cover.class_id
),

records_covered as (
    select
        cells.records,
        (
            1
            * cells.q1_values
            * cells.q2_values
            * cells.q3_values
            * cells.q4_values
            * cells.q5_values
            * cells.q6_values
            * cells.q7_values
        ) as combinations,
        (
            1 * (cells.q1_values - 1)
            / (1 * domains.q1_values)
            + 1 * (cells.q2_values - 1)
            / (1 * domains.q2_values)
            + 1 * (cells.q3_values - 1)
            / (2 * domains.q3_values)
            + 1 * (cells.q4_values - 1)
            / (1 * domains.q4_values)
            + 1 * (cells.q5_values - 1)
            / (1 * domains.q5_values)
            + 1 * (cells.q6_values - 1)
            / (1 * domains.q6_values)
            + 1 * (cells.q7_values - 1)
            / (1 * domains.q7_values)
        ) as iloss
    from cells_covered as cells
    cross join domains_covered as domains
)

select
    case
        when count(priced.combinations) = count(*)
            then round(sum(priced.records * priced.combinations) / sum(priced.records), 9)
    end as ambiguity,
    case when count(priced.iloss) = count(*) then round(sum(priced.records * priced.iloss), 9) end as iloss
from records_covered as priced
