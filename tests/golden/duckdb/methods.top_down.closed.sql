select
    candidate_sums.number,
    candidate_sums.node,
    candidate_sums.split
from "sqlanon_top_down_candidate_sums" as candidate_sums
where candidate_sums.failing > 0
