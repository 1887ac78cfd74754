select
    grouped.number as class_id,
    count(*) as records,
    standing.fails as failed
from "sqlanon_coded" as coded
inner join "sqlanon_earlier_grouped" as grouped
    on
        coded.w1 = grouped.w1
        and coded.w2 = grouped.w2
inner join "sqlanon_earlier_standing" as standing
    on grouped.number = standing.number
where standing.fails > 0
group by grouped.number, standing.fails
