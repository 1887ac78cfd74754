select
    parts.class_id,
    cast(0 as bigint) as zone,
    cast(sum(parts.records) as bigint) as records,
    min(cells.q1) as low_q1,
    max(cells.q1) as high_q1,
    min(cells.q2) as low_q2,
    max(cells.q2) as high_q2,
    min(cells.q3) as low_q3,
    max(cells.q3) as high_q3
from "sqlanon_refine_parts_0" as parts
inner join "sqlanon_exchange_cells" as cells
    on parts.cell_id = cells.cell_id
group by parts.class_id
