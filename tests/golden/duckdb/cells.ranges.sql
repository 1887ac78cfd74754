-- relation: ranges
-- grain: one row per cell and class that takes records of it
-- inputs: parts
-- outputs: cell_id, class_id, first_turn, next_turn
-- paper: none
-- The first so many records of a cell go to its first class, the next to the second, and so on.
select
    parts.cell_id,
    parts.class_id,
    cast(
        sum(parts.records) over (
            partition by parts.cell_id order by parts.class_id rows unbounded preceding
        ) - parts.records as bigint
    ) as first_turn,
    cast(
        sum(parts.records) over (
            partition by parts.cell_id order by parts.class_id rows unbounded preceding
        ) as bigint
    ) as next_turn
from "sqlanon_parts" as parts
