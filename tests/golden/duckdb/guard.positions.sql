-- relation: positions
-- grain: one row per code, a pair of a sensitive value and the node that its record guards
-- inputs: coded, spans
-- outputs: code, value, records, position, own, low, high
-- paper: Xiao and Tao 2006, section 3
-- The pairs as the values of an attribute. Labels of the same leaves are one node; NULL is none.
with pairs as (
    select
        coded.s1 as own,
        spans.low,
        spans.high,
        count(*) as records
    from "sqlanon_coded" as coded
    left join "sqlanon_spans_s2" as spans
        on coded.g1 = spans.label
    group by coded.s1, spans.low, spans.high
),

numbered as (
    select
        pairs.own,
        pairs.low,
        pairs.high,
        pairs.records,
        cast(row_number() over (order by pairs.own, coalesce(pairs.low, -1), coalesce(pairs.high, -1)) as integer) as code
    from pairs
)

select
    numbered.code,
    numbered.code as value,
    numbered.records,
    numbered.code as position,
    numbered.own,
    numbered.low,
    numbered.high
from numbered
