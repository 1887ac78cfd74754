-- relation: moves
-- grain: one row per class that a record leaves
-- inputs: nearer, changed, held
-- outputs: cluster, block, cell_id, from_class, class_id, records
-- paper: Amiri et al. 2023, §4.2; in rounds: sqlanon
-- Every record would go to the nearest class, if both go on meeting every model. Of what touches a
-- class only the move by which most is gained is made, if it is that to the other class as well: so a
-- class loses or gains one record in a round, and what was tested is what comes to be.
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
),

touched as (
    select
        choices.from_class as touched_class,
        choices.cell_id,
        choices.from_class,
        choices.class_id,
        choices.gain
    from choices
    where choices.place = 1
    union all
    select
        choices.class_id as touched_class,
        choices.cell_id,
        choices.from_class,
        choices.class_id,
        choices.gain
    from choices
    where choices.place = 1
),

ranked as (
    select
        touched.cell_id,
        touched.from_class,
        touched.class_id,
        row_number() over (
            partition by touched.touched_class
            order by touched.gain desc, touched.cell_id asc, touched.from_class asc, touched.class_id asc
        ) as place
    from touched
),

made as (
    select
        ranked.cell_id,
        ranked.from_class
    from ranked
    where ranked.place = 1
    group by ranked.cell_id, ranked.from_class
    having count(*) = 2
)

select
    choices.cluster,
    choices.block,
    choices.cell_id,
    choices.from_class,
    choices.class_id,
    cast(1 as bigint) as records
from choices
inner join made
    on choices.cell_id = made.cell_id and choices.from_class = made.from_class
where choices.place = 1
