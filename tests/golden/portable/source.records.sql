-- relation: records
-- grain: one row per record of the source
-- inputs: source, secret_*
-- outputs: q*|s*|x*|k*|w*|g*|p*|b*
-- paper: none
-- The declared columns under short names, so that no later step meets a name of the user's:
-- q1, q2, … quasi-identifiers, s1, … sensitive attributes, x1, … insensitive ones and pseudonyms, which
-- are made here so that no later step meets what they stand for, k1, … the key and
-- what tells apart values of the last two that are equal and have other bytes, w1, … whom a record
-- is about, g1, … what persons guard.
select
    source."age" as q1,
    source."zip" as q2,
    source."dose" as q3,
    source."admitted" as q4,
    source."sex" as q5,
    source."town" as q6,
    source."visits" as q7,
    source."disease" as s1,
    source."pain" as s2,
    source."salary" as s3,
    source."ward" as x1
from "patients" as source
