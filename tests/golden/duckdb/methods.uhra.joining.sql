with runs as (
    select
        left_runs.cluster,
        left_runs.s1,
        left_runs.s2,
        left_runs.run_records
    from "sqlanon_uhra_left_runs" as left_runs
    where left_runs.earlier = 0
),

members as (
    select
        shares.cluster,
        shares.class_id,
        places.s1,
        places.s2,
        cast(sum(shares.records) as bigint) as records
    from "sqlanon_uhra_shares_0" as shares
    inner join "sqlanon_places" as places
        on shares.cell_id = places.cell_id
    where shares.class_id >= 0
    group by shares.cluster, shares.class_id, places.s1, places.s2
),

together as (
    select
        members.cluster,
        members.class_id,
        members.s1,
        members.s2,
        members.records,
        cast(0 as bigint) as joins
    from members
    union all
    select
        classes.cluster,
        classes.class_id,
        runs.s1,
        runs.s2,
        cast(0 as bigint) as records,
        cast(1 as bigint) as joins
    from (
        select
            members.cluster,
            members.class_id
        from members
        group by members.cluster, members.class_id
    ) as classes
    inner join runs
        on classes.cluster = runs.cluster
)

select
    together.class_id * 24 + lengths.length - 1 as class_id,
    together.s1,
    together.s2,
    cast(sum(together.records + together.joins * lengths.length) as bigint) as records
from together
inner join runs
    on together.cluster = runs.cluster
inner join "sqlanon_uhra_lengths" as lengths
    on runs.run_records >= lengths.length
group by together.class_id, lengths.length, together.s1, together.s2
