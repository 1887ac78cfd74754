with whole as (
    select
        nodes.node,
        cast(sum(targets.records) as bigint) as matches,
        cast(sum(targets.behind) as bigint) as behind,
        min(targets.s1_low) as s1_low,
        max(targets.s1_high) as s1_high
    from "sqlanon_external_nodes" as nodes
    inner join "sqlanon_targets" as targets
        on nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1
    group by nodes.node
),

border as (
    select
        nodes.node,
        persons.q1,
        persons.q2,
        cast(sum(targets.records) as bigint) as matches,
        cast(sum(targets.behind) as bigint) as behind,
        min(targets.s1_low) as s1_low,
        max(targets.s1_high) as s1_high
    from "sqlanon_external_nodes" as nodes
    inner join "sqlanon_targets" as targets
        on nodes.q1_min <= targets.q1_high and nodes.q1_max >= targets.q1_low and nodes.q2_min <= targets.q2_high and nodes.q2_max >= targets.q2_low
    inner join "sqlanon_external_persons" as persons
        on nodes.node = persons.node and persons.q1 between targets.q1_low and targets.q1_high and persons.q2 between targets.q2_low and targets.q2_high
    where not (nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1) and ((persons.q1 + 1) * 1 + (persons.q2 + 1) * 3) % 6 = 0
    group by nodes.node, persons.q1, persons.q2
)

select
    persons.q1,
    persons.q2,
    persons.persons,
    coalesce(whole.matches, 0) + coalesce(border.matches, 0) as matches,
    coalesce(whole.behind, 0) + coalesce(border.behind, 0) as behind,
    case
        when border.s1_low is null or whole.s1_low < border.s1_low then whole.s1_low
        else border.s1_low
    end as s1_low,
    case
        when border.s1_high is null or whole.s1_high > border.s1_high then whole.s1_high
        else border.s1_high
    end as s1_high
from "sqlanon_external_persons" as persons
left join whole
    on persons.node = whole.node
left join border
    on
        persons.node = border.node
        and persons.q1 = border.q1
        and persons.q2 = border.q2
where ((persons.q1 + 1) * 1 + (persons.q2 + 1) * 3) % 6 = 0
