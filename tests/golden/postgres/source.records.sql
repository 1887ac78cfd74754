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
-- Text is put into the order of its bytes here, whatever the database's collation, and stays so in
-- every relation made of this one.
select
    source."age" as q1,
    cast(source."zip" as text) collate "C" as q2,
    source."dose" as q3,
    source."admitted" as q4,
    cast(source."sex" as text) collate "C" as q5,
    cast(source."town" as text) collate "C" as q6,
    source."visits" as q7,
    cast(source."disease" as text) collate "C" as s1,
    cast(source."pain" as text) collate "C" as s2,
    source."salary" as s3,
    cast(source."ward" as text) collate "C" as x1
from "patients" as source
