-- relation: candidate_sums
-- grain: one row per specialization
-- inputs: judged_classes, offers
-- outputs: candidate, place, node, split, failing, gain
-- paper: Fung, Wang & Yu 2005, §3, score
-- How many more records a specialization would leave in classes that fail, and how much less would be lost:
-- all of a record that fails.
with sums as (
    select
        judged_classes.candidate,
        sum(judged_classes.records * (1 - judged_classes.holds) - judged_classes.failing_before) as failing,
        sum(
            judged_classes.lost_before
            - judged_classes.loss * judged_classes.holds
            - judged_classes.records * 1000000000 * (1 - judged_classes.holds)
        ) as gain
    from "sqlanon_top_down_judged_classes" as judged_classes
    group by judged_classes.candidate
),

named as (
    select
        offers.candidate,
        offers.place,
        offers.node,
        offers.split
    from "sqlanon_top_down_offers" as offers
    group by offers.candidate, offers.place, offers.node, offers.split
)

select
    sums.candidate,
    named.place,
    named.node,
    named.split,
    cast(sums.failing as bigint) as failing,
    cast(sums.gain as bigint) as gain
from sums
inner join named
    on sums.candidate = named.candidate
