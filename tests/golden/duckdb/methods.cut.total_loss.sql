select
    count(*) as classes,
    cast(coalesce(sum(class_losses.loss), 0) as bigint) as loss,
    cast(coalesce(max(class_losses.records), 0) as bigint) as largest
from "sqlanon_refine_losses" as class_losses
