select
    members.unit_id,
    tuple_values.s1,
    cast(sum(tuple_values.records) as bigint) as records
from "sqlanon_cells_members" as members
inner join "sqlanon_cells_values" as tuple_values
    on members.tuple_id = tuple_values.tuple_id
group by
    members.unit_id,
    tuple_values.s1
