select
    judged_classes.class_id,
    judged_classes.records
from "sqlanon_top_down_judged_classes" as judged_classes
inner join "sqlanon_top_down_candidate_sums" as candidate_sums
    on judged_classes.candidate = candidate_sums.candidate
where judged_classes.holds = 1 and candidate_sums.failing <= 48
