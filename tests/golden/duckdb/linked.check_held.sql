-- relation: check_held
-- grain: one row per declared model that the groups of a join do not meet
-- inputs: held, sizes, measured_*
-- outputs: measure, attribute, threshold, value, failing_groups, failing_persons
-- paper: none
select
    'joined_recursive_l' as measure,
    'pain' as attribute,
    'c = 99, l = 2' as threshold,
    max(measured_1.value) as value,
    count(*) as failing_groups,
    sum(sizes.records) as failing_persons
from "sqlanon_linked_held" as held
inner join "sqlanon_linked_sizes" as sizes
    on held.class_id = sizes.class_id
inner join "sqlanon_linked_sqlanon_measured_recursive_l_s1" as measured_1
    on held.class_id = measured_1.class_id
where held.model = 1 and held.holds = 0
having count(*) > 0
union all
select
    'joined_t_closeness' as measure,
    'pain' as attribute,
    '0.9' as threshold,
    max(measured_2.value) as value,
    count(*) as failing_groups,
    sum(sizes.records) as failing_persons
from "sqlanon_linked_held" as held
inner join "sqlanon_linked_sizes" as sizes
    on held.class_id = sizes.class_id
inner join "sqlanon_linked_sqlanon_measured_t_closeness_s1" as measured_2
    on held.class_id = measured_2.class_id
where held.model = 2 and held.holds = 0
having count(*) > 0
