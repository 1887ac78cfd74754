with cut as (
    select
        parts.cell_id,
        min(parts.class_id) as block
    from "sqlanon_subset_parts_1" as parts
    group by parts.cell_id
)

select
    cut.cell_id as class_id,
    cut.block
from cut
