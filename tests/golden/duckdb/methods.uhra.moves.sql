with failing as (
    select held.class_id
    from "sqlanon_lattice_held" as held
    where held.holds = 0
    group by held.class_id
),

allowed as (
    select
        changed.changed_class,
        changed.sign,
        changed.c1,
        changed.c2
    from "sqlanon_uhra_changed" as changed
    left join failing
        on changed.class_id = failing.class_id
    where failing.class_id is null
    group by
        changed.changed_class,
        changed.sign,
        changed.c1,
        changed.c2
),

choices as (
    select
        nearer.cluster,
        nearer.block,
        nearer.cell_id,
        nearer.from_class,
        nearer.class_id,
        nearer.gain,
        nearer.records,
        row_number() over (
            partition by nearer.cell_id, nearer.from_class order by nearer.apart, nearer.class_id
        ) as place
    from "sqlanon_uhra_nearer" as nearer
    inner join allowed as leaving
        on
            nearer.from_class = leaving.changed_class
            and leaving.sign = -1
            and nearer.s1 = leaving.c1
            and nearer.s2 = leaving.c2
    inner join allowed as coming
        on
            nearer.class_id = coming.changed_class
            and coming.sign = 1
            and nearer.s1 = coming.c1
            and nearer.s2 = coming.c2
)

select
    choices.cluster,
    choices.block,
    choices.cell_id,
    choices.from_class,
    choices.class_id,
    choices.gain,
    choices.records
from choices
where choices.place = 1
