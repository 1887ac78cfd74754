with classes as (
    select
        centroids.class_id as formed,
        row_number() over (order by centroids.class_id) - 1 as class_id
    from "sqlanon_micro_centroids" as centroids
)

select
    shares.cell_id,
    classes.class_id,
    shares.records
from "sqlanon_micro_joined_0" as shares
inner join classes
    on shares.class_id = classes.formed
