select
    source.records as records_in,
    released.records as records_out
from (select count(*) as records from "sqlanon_records") as source
cross join (select count(*) as records from "patients_public") as released
where source.records <> released.records
