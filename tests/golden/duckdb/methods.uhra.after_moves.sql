with changes as (
    select
        moves.class_id,
        moves.cell_id,
        moves.records
    from "sqlanon_uhra_moves_0" as moves
    union all
    select
        moves.from_class as class_id,
        moves.cell_id,
        -moves.records as records
    from "sqlanon_uhra_moves_0" as moves
),

together as (
    select
        shares.class_id,
        shares.cell_id,
        shares.records
    from "sqlanon_uhra_shares_1" as shares
    inner join (
        select changes.class_id
        from changes
        group by changes.class_id
    ) as touched
        on shares.class_id = touched.class_id
    union all
    select
        changes.class_id,
        changes.cell_id,
        changes.records
    from changes
)

select
    together.class_id,
    places.s1,
    places.s2,
    cast(sum(together.records) as bigint) as records
from together
inner join "sqlanon_places" as places
    on together.cell_id = places.cell_id
group by together.class_id, places.s1, places.s2
having sum(together.records) > 0
