with clusters as (
    select distinct centres.cluster
    from "sqlanon_centres_1" as centres
),

squares as (
    select
        points.attribute,
        points.cell,
        cast(sum(points.coordinate * points.coordinate) as bigint) as square
    from "sqlanon_points_source" as points
    group by points.attribute, points.cell
),

norms as (
    select
        centres.attribute,
        centres.cluster,
        cast(sum(centres.coordinate * centres.coordinate) as bigint) as square
    from "sqlanon_centres_1" as centres
    group by centres.attribute, centres.cluster
),

products as (
    select
        points.attribute,
        points.cell,
        centres.cluster,
        cast(sum(points.coordinate * centres.coordinate) as bigint) as product
    from "sqlanon_points_source" as points
    inner join "sqlanon_centres_1" as centres
        on points.attribute = centres.attribute and points.axis = centres.axis
    group by points.attribute, points.cell, centres.cluster
),

distances as (
    select
        squares.attribute,
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares
    cross join clusters
    left join norms
        on squares.attribute = norms.attribute and clusters.cluster = norms.cluster
    left join products
        on
            squares.attribute = products.attribute
            and squares.cell = products.cell
            and clusters.cluster = products.cluster
),

measured as (
    select
        alike.q1,
        alike.q2,
        alike.q3,
        alike.q4,
        alike.q5,
        alike.q6,
        alike.q7,
        alike.records,
        clusters.cluster,
        cast(distances_q1.square + distances_q2.square + distances_q3.square + distances_q4.square + distances_q5.square + distances_q6.square + distances_q7.square as bigint) as distance
    from "sqlanon_combinations_source" as alike
    cross join clusters
    inner join distances as distances_q1
        on
            distances_q1.attribute = 1
            and alike.q1 = distances_q1.cell
            and clusters.cluster = distances_q1.cluster
    inner join distances as distances_q2
        on
            distances_q2.attribute = 2
            and alike.q2 = distances_q2.cell
            and clusters.cluster = distances_q2.cluster
    inner join distances as distances_q3
        on
            distances_q3.attribute = 3
            and alike.q3 = distances_q3.cell
            and clusters.cluster = distances_q3.cluster
    inner join distances as distances_q4
        on
            distances_q4.attribute = 4
            and alike.q4 = distances_q4.cell
            and clusters.cluster = distances_q4.cluster
    inner join distances as distances_q5
        on
            distances_q5.attribute = 5
            and alike.q5 = distances_q5.cell
            and clusters.cluster = distances_q5.cluster
    inner join distances as distances_q6
        on
            distances_q6.attribute = 6
            and alike.q6 = distances_q6.cell
            and clusters.cluster = distances_q6.cluster
    inner join distances as distances_q7
        on
            distances_q7.attribute = 7
            and alike.q7 = distances_q7.cell
            and clusters.cluster = distances_q7.cluster
),

ranked as (
    select
        measured.q1,
        measured.q2,
        measured.q3,
        measured.q4,
        measured.q5,
        measured.q6,
        measured.q7,
        measured.records,
        measured.cluster,
        measured.distance,
        row_number() over (
            partition by measured.q1, measured.q2, measured.q3, measured.q4, measured.q5, measured.q6, measured.q7
            order by measured.distance, measured.cluster
        ) as rank_of_cluster
    from measured
)

select
    ranked.q1,
    ranked.q2,
    ranked.q3,
    ranked.q4,
    ranked.q5,
    ranked.q6,
    ranked.q7,
    ranked.records,
    ranked.cluster,
    ranked.distance
from ranked
where ranked.rank_of_cluster = 1
