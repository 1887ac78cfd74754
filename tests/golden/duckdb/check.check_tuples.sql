-- relation: check_tuples
-- grain: one row if the sensitive and insensitive values of the table are not the source's
-- inputs: tuples
-- outputs: missing, invented
-- paper: none
-- How many records of the source have no counterpart in the table, and the other way round.
with differences as (
    select
        cast(
            sum(case when tuples.in_source > tuples.in_table then tuples.in_source - tuples.in_table else 0 end)
            as bigint
        ) as missing,
        cast(
            sum(case when tuples.in_table > tuples.in_source then tuples.in_table - tuples.in_source else 0 end)
            as bigint
        ) as invented
    from "sqlanon_shown_tuples" as tuples
)

select
    differences.missing,
    differences.invented
from differences
where differences.missing > 0 or differences.invented > 0
