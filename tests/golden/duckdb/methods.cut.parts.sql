select
    found.cell_id,
    found.class_id,
    found.records
from "sqlanon_deal_parts" as found
