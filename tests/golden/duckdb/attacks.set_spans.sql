select
    set_members.class_id,
    min(set_members.code) as low,
    max(set_members.code) as high,
    case when max(set_members.code) - min(set_members.code) + 1 = count(distinct set_members.code) then 1 else 0 end
        as whole
from "sqlanon_external_members_q6" as set_members
where set_members.code is not null
group by set_members.class_id
