-- relation: check_kept
-- grain: one row if what an earlier release kept is not what its run left
-- inputs: content
-- outputs: records
-- paper: none
select content.records
from "sqlanon_content_earlier_1_members" as content
where content.records <> 53 or content.content <> '4bb5b3bbc821ad59b5b33b48342829f4655bb9c0f24b8d9b5325e5c5fb89672e'
