with cumulated as (
    select
        1 as along,
        group_counts.region,
        group_counts.group_id,
        group_counts.value,
        group_counts.share,
        cast(
            sum(group_counts.share) over (
                partition by group_counts.group_id
                order by
                    combinations.s1_position,
                    case
                        when combinations.s1_position % 2 = 0 then combinations.s2_position
                        else -combinations.s2_position
                    end,
                    group_counts.value
                rows unbounded preceding
            ) as bigint
        ) as reached
    from "sqlanon_carve_shrunk_s2" as group_counts
    inner join "sqlanon_carve_combinations" as combinations
        on group_counts.value = combinations.code
    union all
    select
        2 as along,
        group_counts.region,
        group_counts.group_id,
        group_counts.value,
        group_counts.share,
        cast(
            sum(group_counts.share) over (
                partition by group_counts.group_id
                order by
                    combinations.s2_position,
                    case
                        when combinations.s2_position % 2 = 0 then combinations.s1_position
                        else -combinations.s1_position
                    end,
                    group_counts.value
                rows unbounded preceding
            ) as bigint
        ) as reached
    from "sqlanon_carve_shrunk_s2" as group_counts
    inner join "sqlanon_carve_combinations" as combinations
        on group_counts.value = combinations.code

),

-- In percent: of what is taken, and at what part of a record it is rounded up.
roundings as (
    select
        listed.rounding,
        listed.part,
        listed.up
    from (
        values
        (1, 100, 50), (2, 100, 25), (3, 100, 75), (4, 97, 50), (5, 97, 25), (6, 97, 75), (7, 93, 50), (8, 93, 25),
        (9, 93, 75), (10, 88, 50), (11, 88, 25), (12, 88, 75), (13, 80, 50), (14, 80, 25), (15, 80, 75)
    ) as listed (rounding, part, up)
),

rounded as (
    select
        cumulated.region,
        cumulated.group_id,
        cumulated.along * 100 + roundings.rounding as candidate,
        cumulated.value,
        (cumulated.reached * roundings.part + roundings.up * 65536) as above,
        ((cumulated.reached - cumulated.share) * roundings.part + roundings.up * 65536) as before
    from cumulated
    cross join roundings
),

counted as (
    select
        rounded.region,
        rounded.group_id,
        rounded.candidate,
        rounded.value,
        cast(
            ((rounded.above - rounded.above % 6553600) - (rounded.before - rounded.before % 6553600))
            / 6553600 as bigint
        ) as taken
    from rounded
),

sizes as (
    select
        counted.group_id,
        counted.candidate,
        cast(sum(counted.taken) as bigint) as size
    from counted
    group by counted.group_id, counted.candidate
    having sum(counted.taken) >= 10
)

select
    counted.region,
    counted.group_id,
    counted.candidate,
    counted.value,
    counted.taken,
    sizes.size
from counted
inner join sizes
    on counted.group_id = sizes.group_id and counted.candidate = sizes.candidate
where counted.taken > 0
