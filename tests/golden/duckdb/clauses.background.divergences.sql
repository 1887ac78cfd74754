with firsts as (
    select
        profiles.code,
        min(profiles.tuple) as tuple
    from "sqlanon_profiles_b1" as profiles
    group by profiles.code
),

shares as (
    select
        firsts.code as profile,
        known.code as value,
        cast(known.weight as double) / 1e12 as share
    from firsts
    inner join "sqlanon_known_b1" as known
        on firsts.tuple = known.tuple
),

common as (
    select
        one.profile as code,
        two.profile as other,
        sum(
            one.share * ln(one.share / (one.share + two.share))
            + two.share * ln(two.share / (one.share + two.share))
        ) as mixed
    from shares as one
    inner join shares as two
        on one.value = two.value and one.profile < two.profile
    group by one.profile, two.profile
)

select
    one.code,
    two.code as other,
    cast(floor(greatest(1 + coalesce(common.mixed, 0) / 2 / ln(2e0), 0e0) * 1e9 + 0.5e0) as bigint) as amount
from "sqlanon_positions_b1" as one
inner join "sqlanon_positions_b1" as two
    on one.code < two.code
left join common
    on one.code = common.code and two.code = common.other
