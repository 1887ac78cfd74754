with fitting as (
    select
        targets.target_id,
        cast(sum(nodes.persons) as bigint) as persons
    from "sqlanon_external_nodes" as nodes
    inner join "sqlanon_targets" as targets
        on nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1 and nodes.q3_min >= targets.q3_low and nodes.q3_max <= targets.q3_high and targets.q3_whole = 1
    group by targets.target_id
    union all
    select
        targets.target_id,
        cast(sum(persons.persons) as bigint) as persons
    from "sqlanon_external_nodes" as nodes
    inner join "sqlanon_targets" as targets
        on nodes.q1_min <= targets.q1_high and nodes.q1_max >= targets.q1_low and nodes.q2_min <= targets.q2_high and nodes.q2_max >= targets.q2_low and nodes.q3_min <= targets.q3_high and nodes.q3_max >= targets.q3_low
    inner join "sqlanon_external_persons" as persons
        on nodes.node = persons.node and persons.q1 between targets.q1_low and targets.q1_high and persons.q2 between targets.q2_low and targets.q2_high and persons.q3 between targets.q3_low and targets.q3_high
    where not (nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1 and nodes.q3_min >= targets.q3_low and nodes.q3_max <= targets.q3_high and targets.q3_whole = 1)
    group by targets.target_id
),

counted as (
    select
        fitting.target_id,
        cast(sum(fitting.persons) as bigint) as persons
    from fitting
    group by fitting.target_id
)

select
    tuples.class_id,
    tuples.records,
    coalesce(counted.persons, 0) as persons,
    case
        when counted.persons is null then 0
        when tuples.records >= counted.persons then 1
        else round(cast(tuples.records as double) / counted.persons, 9)
    end as value,
    case when tuples.records >= counted.persons then 1 else 0 end as exposed
from "sqlanon_classes" as tuples
left join counted
    on tuples.class_id = counted.target_id
