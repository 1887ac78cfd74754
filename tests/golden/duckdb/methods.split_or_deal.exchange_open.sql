select wishes.class_id
from "sqlanon_exchange_wishes" as wishes
union
select made.class_id
from "sqlanon_exchange_made" as made
union
select made.into_class as class_id
from "sqlanon_exchange_made" as made
