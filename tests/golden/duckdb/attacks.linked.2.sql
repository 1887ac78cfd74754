-- relation: linked
-- grain: one row per point that persons of the external table share
-- inputs: nodes, targets, persons, set_members_*
-- outputs: q*, persons, matches, behind, s*_low|s*_high
-- paper: Kiran & Kavya 2012, §3 (the linking attack)
-- How many published records may be a person's, how many are tied to them, and the least and the greatest
-- sensitive value of these. Cells of the grid that lie inside what is published are counted at once.
with whole as (
    select
        nodes.node,
        cast(sum(targets.records) as bigint) as matches,
        cast(sum(targets.behind) as bigint) as behind,
        min(targets.s1_low) as s1_low,
        max(targets.s1_high) as s1_high,
        min(targets.s2_low) as s2_low,
        max(targets.s2_high) as s2_high,
        min(targets.s3_low) as s3_low,
        max(targets.s3_high) as s3_high
    from "sqlanon_external_nodes" as nodes
    inner join "sqlanon_targets" as targets
        on nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1 and nodes.q3_min >= targets.q3_low and nodes.q3_max <= targets.q3_high and targets.q3_whole = 1 and nodes.q4_min >= targets.q4_low and nodes.q4_max <= targets.q4_high and targets.q4_whole = 1 and nodes.q5_min >= targets.q5_low and nodes.q5_max <= targets.q5_high and targets.q5_whole = 1 and nodes.q6_min >= targets.q6_low and nodes.q6_max <= targets.q6_high and targets.q6_whole = 1 and nodes.q7_min >= targets.q7_low and nodes.q7_max <= targets.q7_high and targets.q7_whole = 1
    group by nodes.node
),

border as (
    select
        nodes.node,
        persons.q1,
        persons.q2,
        persons.q3,
        persons.q4,
        persons.q5,
        persons.q6,
        persons.q7,
        cast(sum(targets.records) as bigint) as matches,
        cast(sum(targets.behind) as bigint) as behind,
        min(targets.s1_low) as s1_low,
        max(targets.s1_high) as s1_high,
        min(targets.s2_low) as s2_low,
        max(targets.s2_high) as s2_high,
        min(targets.s3_low) as s3_low,
        max(targets.s3_high) as s3_high
    from "sqlanon_external_nodes" as nodes
    inner join "sqlanon_targets" as targets
        on nodes.q1_min <= targets.q1_high and nodes.q1_max >= targets.q1_low and nodes.q2_min <= targets.q2_high and nodes.q2_max >= targets.q2_low and nodes.q3_min <= targets.q3_high and nodes.q3_max >= targets.q3_low and nodes.q4_min <= targets.q4_high and nodes.q4_max >= targets.q4_low and nodes.q5_min <= targets.q5_high and nodes.q5_max >= targets.q5_low and nodes.q6_min <= targets.q6_high and nodes.q6_max >= targets.q6_low and nodes.q7_min <= targets.q7_high and nodes.q7_max >= targets.q7_low
    inner join "sqlanon_external_persons" as persons
        on nodes.node = persons.node and persons.q1 between targets.q1_low and targets.q1_high and persons.q2 between targets.q2_low and targets.q2_high and persons.q3 between targets.q3_low and targets.q3_high and persons.q4 between targets.q4_low and targets.q4_high and persons.q5 between targets.q5_low and targets.q5_high and persons.q6 between targets.q6_low and targets.q6_high and persons.q7 between targets.q7_low and targets.q7_high
    inner join "sqlanon_external_members_q6" as members_q6
        on targets.target_id = members_q6.class_id and persons.q6 = members_q6.code
    where not (nodes.q1_min >= targets.q1_low and nodes.q1_max <= targets.q1_high and targets.q1_whole = 1 and nodes.q2_min >= targets.q2_low and nodes.q2_max <= targets.q2_high and targets.q2_whole = 1 and nodes.q3_min >= targets.q3_low and nodes.q3_max <= targets.q3_high and targets.q3_whole = 1 and nodes.q4_min >= targets.q4_low and nodes.q4_max <= targets.q4_high and targets.q4_whole = 1 and nodes.q5_min >= targets.q5_low and nodes.q5_max <= targets.q5_high and targets.q5_whole = 1 and nodes.q6_min >= targets.q6_low and nodes.q6_max <= targets.q6_high and targets.q6_whole = 1 and nodes.q7_min >= targets.q7_low and nodes.q7_max <= targets.q7_high and targets.q7_whole = 1)
    group by nodes.node, persons.q1, persons.q2, persons.q3, persons.q4, persons.q5, persons.q6, persons.q7
)

select
    persons.q1,
    persons.q2,
    persons.q3,
    persons.q4,
    persons.q5,
    persons.q6,
    persons.q7,
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
    end as s1_high,
    case
        when border.s2_low is null or whole.s2_low < border.s2_low then whole.s2_low
        else border.s2_low
    end as s2_low,
    case
        when border.s2_high is null or whole.s2_high > border.s2_high then whole.s2_high
        else border.s2_high
    end as s2_high,
    case
        when border.s3_low is null or whole.s3_low < border.s3_low then whole.s3_low
        else border.s3_low
    end as s3_low,
    case
        when border.s3_high is null or whole.s3_high > border.s3_high then whole.s3_high
        else border.s3_high
    end as s3_high
from "sqlanon_external_persons" as persons
left join whole
    on persons.node = whole.node
left join border
    on
        persons.node = border.node
        and persons.q1 = border.q1
        and persons.q2 = border.q2
        and persons.q3 = border.q3
        and persons.q4 = border.q4
        and persons.q5 = border.q5
        and persons.q6 = border.q6
        and persons.q7 = border.q7
