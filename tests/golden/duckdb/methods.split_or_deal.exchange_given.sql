select
    offers.offer_id,
    offers.class_id,
    parts.cell_id,
    cells.kind,
    parts.records
from "sqlanon_exchange_offers" as offers
inner join "sqlanon_refine_parts_0" as parts
    on offers.class_id = parts.class_id
inner join "sqlanon_exchange_cells" as cells
    on parts.cell_id = cells.cell_id
where
    case offers.attribute
        when 1 then cells.q1
        when 2 then cells.q2
        when 3 then cells.q3
    end not between offers.low and offers.high
