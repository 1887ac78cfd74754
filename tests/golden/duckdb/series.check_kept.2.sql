-- relation: check_kept
-- grain: one row if what an earlier release kept is not what its run left
-- inputs: content
-- outputs: records
-- paper: none
select content.records
from "sqlanon_content_earlier_1_values" as content
where content.records <> 93 or content.content <> 'e8548b6443357b2d7b5ae025ef39051180b1848c92145c20794f50d81de3e432'
