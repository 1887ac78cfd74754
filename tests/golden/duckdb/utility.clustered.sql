with clusters as (
    select distinct centres.cluster
    from "sqlanon_centres_1" as centres
),

squares_q1 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q1_source" as coordinates
    group by coordinates.cell
),

norms_q1 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 1
    group by centres.cluster
),

products_q1 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q1_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 1
    group by coordinates.cell, centres.cluster
),

distances_q1 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q1 as squares
    cross join clusters
    left join norms_q1 as norms
        on clusters.cluster = norms.cluster
    left join products_q1 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

squares_q2 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q2_source" as coordinates
    group by coordinates.cell
),

norms_q2 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 2
    group by centres.cluster
),

products_q2 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q2_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 2
    group by coordinates.cell, centres.cluster
),

distances_q2 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q2 as squares
    cross join clusters
    left join norms_q2 as norms
        on clusters.cluster = norms.cluster
    left join products_q2 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

squares_q3 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q3_source" as coordinates
    group by coordinates.cell
),

norms_q3 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 3
    group by centres.cluster
),

products_q3 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q3_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 3
    group by coordinates.cell, centres.cluster
),

distances_q3 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q3 as squares
    cross join clusters
    left join norms_q3 as norms
        on clusters.cluster = norms.cluster
    left join products_q3 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

squares_q4 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q4_source" as coordinates
    group by coordinates.cell
),

norms_q4 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 4
    group by centres.cluster
),

products_q4 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q4_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 4
    group by coordinates.cell, centres.cluster
),

distances_q4 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q4 as squares
    cross join clusters
    left join norms_q4 as norms
        on clusters.cluster = norms.cluster
    left join products_q4 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

squares_q5 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q5_source" as coordinates
    group by coordinates.cell
),

norms_q5 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 5
    group by centres.cluster
),

products_q5 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q5_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 5
    group by coordinates.cell, centres.cluster
),

distances_q5 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q5 as squares
    cross join clusters
    left join norms_q5 as norms
        on clusters.cluster = norms.cluster
    left join products_q5 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

squares_q6 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q6_source" as coordinates
    group by coordinates.cell
),

norms_q6 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 6
    group by centres.cluster
),

products_q6 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q6_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 6
    group by coordinates.cell, centres.cluster
),

distances_q6 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q6 as squares
    cross join clusters
    left join norms_q6 as norms
        on clusters.cluster = norms.cluster
    left join products_q6 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

squares_q7 as (
    select
        coordinates.cell,
        cast(sum(coordinates.place * coordinates.place) as bigint) as square
    from "sqlanon_coordinates_q7_source" as coordinates
    group by coordinates.cell
),

norms_q7 as (
    select
        centres.cluster,
        cast(sum(centres.place * centres.place) as bigint) as square
    from "sqlanon_centres_1" as centres
    where centres.attribute = 7
    group by centres.cluster
),

products_q7 as (
    select
        coordinates.cell,
        centres.cluster,
        cast(sum(coordinates.place * centres.place) as bigint) as product
    from "sqlanon_coordinates_q7_source" as coordinates
    inner join "sqlanon_centres_1" as centres
        on coordinates.axis = centres.axis
    where centres.attribute = 7
    group by coordinates.cell, centres.cluster
),

distances_q7 as (
    select
        squares.cell,
        clusters.cluster,
        squares.square + coalesce(norms.square, 0) - 2 * coalesce(products.product, 0) as square
    from squares_q7 as squares
    cross join clusters
    left join norms_q7 as norms
        on clusters.cluster = norms.cluster
    left join products_q7 as products
        on squares.cell = products.cell and clusters.cluster = products.cluster
),

ranked as (
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
        (
            distances_q1.square
            + distances_q2.square
            + distances_q3.square
            + distances_q4.square
            + distances_q5.square
            + distances_q6.square
            + distances_q7.square
        ) as distance,
        row_number() over (
            partition by alike.q1, alike.q2, alike.q3, alike.q4, alike.q5, alike.q6, alike.q7
            order by
                (
                    distances_q1.square
                    + distances_q2.square
                    + distances_q3.square
                    + distances_q4.square
                    + distances_q5.square
                    + distances_q6.square
                    + distances_q7.square
                ),
                clusters.cluster
        ) as rank_of_cluster
    from "sqlanon_points_source" as alike
    cross join clusters
    inner join distances_q1
        on alike.q1 = distances_q1.cell and clusters.cluster = distances_q1.cluster
    inner join distances_q2
        on alike.q2 = distances_q2.cell and clusters.cluster = distances_q2.cluster
    inner join distances_q3
        on alike.q3 = distances_q3.cell and clusters.cluster = distances_q3.cluster
    inner join distances_q4
        on alike.q4 = distances_q4.cell and clusters.cluster = distances_q4.cluster
    inner join distances_q5
        on alike.q5 = distances_q5.cell and clusters.cluster = distances_q5.cluster
    inner join distances_q6
        on alike.q6 = distances_q6.cell and clusters.cluster = distances_q6.cluster
    inner join distances_q7
        on alike.q7 = distances_q7.cell and clusters.cluster = distances_q7.cluster
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
    cast(ranked.distance as bigint) as distance
from ranked
where ranked.rank_of_cluster = 1
