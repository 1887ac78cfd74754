with wanted as (
    select
        nearer.from_class as changed_class,
        -1 as sign,
        nearer.s1 as c1,
        nearer.s2 as c2
    from "sqlanon_uhra_nearer" as nearer
    union
    select
        nearer.class_id as changed_class,
        1 as sign,
        nearer.s1 as c1,
        nearer.s2 as c2
    from "sqlanon_uhra_nearer" as nearer
),

numbered as (
    select
        row_number() over (
            order by wanted.changed_class, wanted.sign, wanted.c1, wanted.c2
        ) as class_id,
        wanted.changed_class,
        wanted.sign,
        wanted.c1,
        wanted.c2
    from wanted
),

members as (
    select
        shares.class_id,
        places.s1,
        places.s2,
        cast(sum(shares.records) as bigint) as records
    from "sqlanon_uhra_shares_1" as shares
    inner join "sqlanon_places" as places
        on shares.cell_id = places.cell_id
    where shares.class_id >= 0
    group by shares.class_id, places.s1, places.s2
),

together as (
    select
        numbered.class_id,
        members.s1,
        members.s2,
        members.records
    from numbered
    inner join members
        on numbered.changed_class = members.class_id
    union all
    select
        numbered.class_id,
        numbered.c1 as s1,
        numbered.c2 as s2,
        numbered.sign as records
    from numbered
)

select
    numbered.class_id,
    numbered.changed_class,
    numbered.sign,
    numbered.c1,
    numbered.c2,
    together.s1,
    together.s2,
    cast(sum(together.records) as bigint) as records
from together
inner join numbered
    on together.class_id = numbered.class_id
group by
    numbered.class_id,
    numbered.changed_class,
    numbered.sign,
    numbered.c1,
    together.s1,
    numbered.c2,
    together.s2
having sum(together.records) > 0
