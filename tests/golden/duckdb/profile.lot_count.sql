select count(distinct left(profile_lots.lot, 6)) as lots
from "sqlanon_profile_lots" as profile_lots
