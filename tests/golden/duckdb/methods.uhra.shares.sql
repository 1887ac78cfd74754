select
    grown.class_id,
    grown.cell_id,
    grown.cluster,
    grown.block,
    grown.records
from "sqlanon_uhra_grown" as grown
where grown.class_id is not null
