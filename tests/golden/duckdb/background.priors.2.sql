-- relation: priors
-- grain: one row per profile and value of the source that it may have
-- inputs: profiles, known, positions
-- outputs: profile, code, prior
-- paper: none
-- What is known beforehand of the values of the source, by their codes. All tuples of a profile have
-- the same.
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
    known.probability as prior
from firsts
inner join "sqlanon_given_b1" as known
    on firsts.tuple = known.tuple
inner join "sqlanon_positions_s1" as positions
    on
        known.value is not distinct from positions.value
        and positions.records > 0
where known.probability > 0
