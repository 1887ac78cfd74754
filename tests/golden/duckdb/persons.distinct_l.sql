-- relation: distinct_l
-- grain: one row per equivalence class
-- inputs: classes, class_values
-- outputs: class_id, value, amount, scale
-- paper: Machanavajjhala et al. 2007, of the persons of a class who may have several values
-- Of how many persons one has the commonest value: at least l. A class that has so many has l values or
-- more, and a value that all of its persons have is one of one.
with most_frequent as (
    select
        class_values.class_id,
        max(class_values.records) as records
    from "sqlanon_class_values_s1" as class_values
    group by class_values.class_id
)

select
    classes.class_id,
    cast(classes.records as double) / most_frequent.records as value,
    cast(classes.records as decimal(38, 0)) as amount,
    cast(most_frequent.records as decimal(38, 0)) as scale
from "sqlanon_class_persons" as classes
inner join most_frequent
    on classes.class_id = most_frequent.class_id
