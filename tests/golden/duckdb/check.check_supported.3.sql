-- relation: check_supported
-- grain: one row if classes publish records that the source does not have inside them
-- inputs: open_*
-- outputs: classes, records
-- paper: none
with short as (
    select
        demanded.class_id,
        demanded.needed - demanded.reachable as records
    from "sqlanon_open_1" as demanded
    where demanded.reachable < demanded.needed
    union all
    select
        demanded.class_id,
        demanded.needed - demanded.reachable as records
    from "sqlanon_open_2" as demanded
    where demanded.reachable < demanded.needed
    union all
    select
        demanded.class_id,
        demanded.needed - demanded.reachable as records
    from "sqlanon_demands_matched" as demanded
    where demanded.reachable < demanded.needed

)

select
    count(distinct short.class_id) as classes,
    cast(sum(short.records) as bigint) as records
from short
having count(*) > 0
