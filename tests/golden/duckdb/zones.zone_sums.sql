select
    count(*) - count(zone_classes.failed) as kept,
    count(zone_classes.failed) as failing,
    cast(coalesce(sum(case when zone_classes.failed is not null then zone_classes.records end), 0) as bigint)
        as failing_records
from "sqlanon_zone_classes" as zone_classes
