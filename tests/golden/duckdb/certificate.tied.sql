-- relation: tied
-- grain: one row per record
-- inputs: released, values_apart
-- outputs: *
-- paper: Xiao and Tao 2006, §3: what a reader ties to a record is its group's values
-- The groups of a release whose sensitive values are published apart, with a row for each record again:
-- a value that the group has so often stands in so many rows.
with places as (
    select
        released."group_id" as group_id,
        row_number() over (
            partition by released."group_id"
            order by released."group_id"
        ) as place
    from "patients_public" as released
),

stretches as (
    select
        values_apart."group_id" as group_id,
        values_apart."disease",
        values_apart."salary",
        values_apart."records" as records,
        sum(values_apart."records") over (
            partition by values_apart."group_id"
            order by
                values_apart."disease" nulls first,
                values_apart."salary" nulls first
            rows between unbounded preceding and current row
        ) as last_place
    from "patients_public__sensitive" as values_apart
)

select
    stretches.group_id as "group_id",
    stretches."disease",
    stretches."salary"
from stretches
inner join places
    on
        stretches.group_id = places.group_id
        and stretches.last_place >= places.place
        and stretches.last_place - stretches.records < places.place
