-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, label, records
-- paper: none
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one are
-- told apart where the value is published as it is, by what tells apart all that is equal; elsewhere
-- they are one, without a sign.
select
    s1 as value,
    cast(s1 as varchar) as label,
    count(*) as records
from "sqlanon_pairs_s1"
group by s1
