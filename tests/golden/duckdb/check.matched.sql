-- relation: matched
-- grain: one row per demand of a class that only single records can meet
-- inputs: open, frontier, points, boxes, set_members_*
-- outputs: class_id, tuple_id, needed, reachable
-- paper: none
-- What is still needed, and how many records of the cells on the border lie inside the class.
with found as (
    select
        frontier.class_id,
        frontier.tuple_id,
        cast(sum(points.records) as bigint) as records
    from "sqlanon_demands" as demanded
    inner join "sqlanon_demands" as frontier
        on demanded.class_id = frontier.class_id and demanded.tuple_id = frontier.tuple_id
    inner join "sqlanon_source_points" as points
        on frontier.tuple_id = points.tuple_id and frontier.node = points.node_0
    inner join "sqlanon_boxes" as boxes
        on
            frontier.class_id = boxes.class_id
            and points.q1 between boxes.q1_low and boxes.q1_high
            and points.q2 between boxes.q2_low and boxes.q2_high
            and points.q3 between boxes.q3_low and boxes.q3_high
            and points.q4 between boxes.q4_low and boxes.q4_high
            and points.q5 between boxes.q5_low and boxes.q5_high
            and points.q6 between boxes.q6_low and boxes.q6_high
            and points.q7 between boxes.q7_low and boxes.q7_high
    inner join "sqlanon_set_members_q6" as members_q6
        on frontier.class_id = members_q6.class_id and points.q6 = members_q6.code
    where frontier.inside = 0 and demanded.reachable >= demanded.needed
    group by frontier.class_id, frontier.tuple_id
)

select
    demanded.class_id,
    demanded.tuple_id,
    demanded.needed,
    coalesce(found.records, 0) as reachable
from "sqlanon_demands" as demanded
left join found
    on demanded.class_id = found.class_id and demanded.tuple_id = found.tuple_id
where demanded.reachable >= demanded.needed
