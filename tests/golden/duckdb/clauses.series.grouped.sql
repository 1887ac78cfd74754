select
    groups.number,
    histories.x0,
    histories.w1,
    histories.w2
from "sqlanon_earlier_histories" as histories
inner join "sqlanon_earlier_groups" as groups
    on
        histories.c1 = groups.c1
