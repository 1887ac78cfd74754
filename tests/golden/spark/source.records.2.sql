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
-- Text is compared by its bytes from here on, whatever collation its column has.
select
  cast(`source`.`age` as string) as `p1`,
  cast(`source`.`zip` as string) as `p2`,
  cast(`source`.`dose` as string) as `p3`,
  cast(`source`.`admitted` as string) as `p4`,
  cast(`source`.`sex` as string) as `p5`,
  cast(`source`.`town` as string) as `p6`,
  `source`.`visits_min` as `p7`,
  `source`.`visits_max` as `p8`,
  cast(`source`.`disease` as string) as `s1`,
  cast(`source`.`pain` as string) as `s2`,
  `source`.`salary` as `s3`,
  cast(`source`.`ward` as string) as `x1`
from `patients_public` as `source`
