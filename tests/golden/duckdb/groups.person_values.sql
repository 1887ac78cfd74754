select
    group_classes.number as class_id,
    coded_pairs.code,
    positions.position,
    count(*) as records
from "sqlanon_merge_coded_s1" as coded_pairs
inner join "sqlanon_assigned" as assigned
    on coded_pairs.x0 = assigned.x0
inner join "sqlanon_merge_placed" as group_classes
    on assigned.class_id = group_classes.class_id
inner join "sqlanon_positions_s1" as positions
    on coded_pairs.code = positions.code
group by group_classes.number, coded_pairs.code, positions.position
