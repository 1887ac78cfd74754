-- relation: check_kept
-- grain: one row if what an earlier release kept is not what its run left
-- inputs: content
-- outputs: records
-- paper: none
select content.records
from "sqlanon_content_earlier_1_members" as content
where content.records <> 53 or content.content <> '6571520765293471'
