with firsts as (
    select
        profiles.code as profile,
        min(profiles.tuple) as tuple
    from "sqlanon_profiles_b1" as profiles
    group by profiles.code
)

select
    firsts.profile,
    positions.code,
    cast(known.weight as double) / 1e12 as prior
from firsts
inner join "sqlanon_known_b1" as known
    on firsts.tuple = known.tuple
inner join "sqlanon_positions_s1" as positions
    on
        known.code = positions.code
        and positions.records > 0
