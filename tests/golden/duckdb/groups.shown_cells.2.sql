-- relation: chosen_cells
-- grain: one row per class and what is known of some of its records
-- inputs: class_profiles, group_classes, shown_groups
-- outputs: class_id, b*, records
-- paper: none
-- What is known of the members of groups of several clusters that show the same, as one class.
select
    shown_groups.shown as class_id,
    class_profiles.b1,
    class_profiles.records
from "sqlanon_class_profiles" as class_profiles
inner join "sqlanon_apart_united_0" as group_classes
    on class_profiles.class_id = group_classes.class_id
inner join "sqlanon_apart_shown" as shown_groups
    on group_classes.number = shown_groups.number
where shown_groups.times > 1
