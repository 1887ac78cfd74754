with source_sums as (
    select
        read_groups.bin,
        sum(profiles.records * (numbers.above + numbers.known * numbers.least)) as total,
        sum(profiles.records * numbers.known) as weight
    from "sqlanon_source_profiles" as profiles
    inner join "sqlanon_read_q1_source" as read_groups
        on profiles.q1 = read_groups.cell
    inner join "sqlanon_numbers_q10_source" as numbers
        on profiles.q10 = numbers.cell
    group by read_groups.bin
),

-- A number is read as it is expected to be; of cells of the group the means need sums alone.
released_cells as (
    select
        profiles.q1 as cell,
        sum(profiles.records * (numbers.above + numbers.known * numbers.least)) as total,
        sum(profiles.records * numbers.known) as weight
    from "sqlanon_released_profiles" as profiles
    inner join "sqlanon_numbers_q10_released" as numbers
        on profiles.q10 = numbers.cell
    group by profiles.q1
),

released_sums as (
    select
        read_groups.bin,
        sum(released_cells.total * read_groups.share) as total,
        sum(released_cells.weight * read_groups.share) as weight,
        sum(case when group_cells.covered = 1 then released_cells.total else 0 end) as exact_total,
        sum(case when group_cells.covered = 1 then released_cells.weight else 0 end) as exact_weight
    from released_cells
    inner join "sqlanon_read_q1_released" as read_groups
        on released_cells.cell = read_groups.cell
    inner join "sqlanon_numbers_q1_released" as group_cells
        on released_cells.cell = group_cells.cell
    group by read_groups.bin
),

means as (
    select
        source_sums.total / source_sums.weight as source_mean,
        case
            when released_sums.weight > 0 then released_sums.total / released_sums.weight
        end as released_mean,
        case
            when released_sums.exact_weight > 0 then released_sums.exact_total / released_sums.exact_weight
        end as exact_mean
    from source_sums
    left join released_sums
        on source_sums.bin = released_sums.bin
    where source_sums.weight > 0 and source_sums.total <> 0
)

select
    round(avg(abs(means.released_mean - means.source_mean) / abs(means.source_mean)), 9) as difference,
    round(avg(abs(means.exact_mean - means.source_mean) / abs(means.source_mean)), 9) as exact_difference
from means
