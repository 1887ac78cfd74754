-- relation: suppressed_cells
-- grain: one row per quasi-identifier
-- inputs: tuple_classes
-- outputs: quasi_identifier, cells
-- paper: none
-- Of how many released records each quasi-identifier is suppressed.
select
    'sex' as quasi_identifier,
    cast(
        coalesce(
            sum(case when tuple_classes.q1_low <> tuple_classes.q1_high then tuple_classes.records else 0 end),
            0
        ) as bigint
    ) as cells
from "sqlanon_tuple_classes" as tuple_classes
where tuple_classes.failed is null
