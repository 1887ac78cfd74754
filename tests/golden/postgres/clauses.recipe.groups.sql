select used.value, listed.label
from (select distinct records.q3 as value from "sqlanon_records" as records) as used
left join (
    values ('Male'), ('Female')
) as listed (label)
    on used.value = listed.label
