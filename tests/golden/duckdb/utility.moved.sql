select
    cast(
        (select count(*) from "sqlanon_centres_source_1") + (select count(*) from "sqlanon_centres_5")
        - 2 * count(*) as bigint
    ) as moved
from "sqlanon_centres_source_1" as centres
inner join "sqlanon_centres_5" as older
    on
        centres.cluster = older.cluster
        and centres.attribute = older.attribute
        and centres.axis = older.axis
        and centres.coordinate = older.coordinate
