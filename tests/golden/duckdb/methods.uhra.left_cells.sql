select
    grown.cluster,
    grown.block,
    grown.cell_id,
    row_number() over (partition by grown.cluster order by grown.block, grown.place) as place,
    grown.records
from "sqlanon_uhra_grown" as grown
where grown.class_id is null
