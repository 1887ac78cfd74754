-- relation: pairs
-- grain: one row per person and value of a sensitive attribute that he or she has, NULL among them
-- inputs: records
-- outputs: s*, w*
-- paper: Wang & Fung 2006, (X,Y)-anonymity with the persons as Y
-- However many records say it of a person, it is said once. Of these pairs the table's distribution
-- is made, which closeness is measured to.
select
    records.s1,
    records.w1,
    records.w2
from "sqlanon_records" as records
group by
    records.s1,
    records.w1,
    records.w2
