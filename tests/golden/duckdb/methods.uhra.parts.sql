select
    shares.cell_id,
    outcome.class_id,
    shares.records
from "sqlanon_uhra_shares_0" as shares
inner join "sqlanon_outcome" as outcome
    on shares.class_id = outcome.formed
where outcome.failed is null
