-- relation: shortfalls
-- grain: one row per class
-- inputs: model_*
-- outputs: class_id, short
-- paper: none
-- By how many thousandths a class misses what is asked, of every model that fails one more, so that it is
-- 0 where all hold.
with judged as (
    select
        measured.class_id,
        cast(measured.amount as double) * 1e0 as reached,
        cast(measured.scale as double) * 20e0 as asked,
        case
            when measured.amount * 1 >= measured.scale * 20 then 1
            else 0
        end as holds
    from "sqlanon_measured_k_anonymity" as measured
    union all
    select
        measured.class_id,
        cast(measured.amount as double) * 10e0 as reached,
        cast(measured.scale as double) * 9e0 as asked,
        case
            when measured.amount * 10 <= measured.scale * 9 then 1
            else 0
        end as holds
    from "sqlanon_measured_t_closeness_s1" as measured

)

select
    judged.class_id,
    cast(
        sum(
            case
                when judged.holds = 1 then 0
                else 1 + floor(
                    coalesce(abs(judged.reached - judged.asked) * 1000e0 / nullif(greatest(judged.reached, judged.asked), 0e0), 0e0)
                )
            end
        ) as bigint
    ) as short
from judged
group by judged.class_id
