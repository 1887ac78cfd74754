with chosen as (
    select
        combinations.q1,
        combinations.q2,
        combinations.q3,
        combinations.q4,
        combinations.q5,
        combinations.q6,
        combinations.q7
    from "sqlanon_combinations_source" as combinations
    order by
        combinations.records desc,
        combinations.q1 asc,
        combinations.q2 asc,
        combinations.q3 asc,
        combinations.q4 asc,
        combinations.q5 asc,
        combinations.q6 asc,
        combinations.q7 asc
    limit 1
)

select
    1 as cluster,
    points.attribute,
    points.axis,
    points.coordinate
from chosen
inner join "sqlanon_points_source" as points
    on
        points.cell = case points.attribute
            when 1 then chosen.q1
            when 2 then chosen.q2
            when 3 then chosen.q3
            when 4 then chosen.q4
            when 5 then chosen.q5
            when 6 then chosen.q6
            when 7 then chosen.q7
        end
