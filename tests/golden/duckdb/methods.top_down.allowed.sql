select
    candidate_sums.candidate,
    candidate_sums.number,
    candidate_sums.node,
    candidate_sums.split,
    candidate_sums.failing,
    candidate_sums.gain
from "sqlanon_top_down_candidate_sums" as candidate_sums
where candidate_sums.failing <= 0 and candidate_sums.gain > 0
