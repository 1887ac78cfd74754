-- relation: moves
-- grain: one row per cell and class that records leave
-- inputs: moves, too_many
-- outputs: cluster, block, cell_id, from_class, class_id, gain, records
-- paper: none
-- Of the moves that touch a class of which fewer records may move, those by which most is gained.
with touching as (
    select
        moves.class_id as touched_class,
        moves.cell_id,
        moves.from_class,
        moves.class_id,
        moves.gain,
        moves.records
    from "sqlanon_uhra_moves_0" as moves
    union all
    select
        moves.from_class as touched_class,
        moves.cell_id,
        moves.from_class,
        moves.class_id,
        moves.gain,
        moves.records
    from "sqlanon_uhra_moves_0" as moves
),

counted as (
    select
        touching.cell_id,
        touching.from_class,
        touching.records,
        too_many.most - sum(touching.records) over (
            partition by touching.touched_class
            order by touching.gain desc, touching.cell_id asc, touching.from_class asc, touching.class_id asc
            rows unbounded preceding
        ) as spare
    from touching
    left join "sqlanon_uhra_too_many" as too_many
        on touching.touched_class = too_many.class_id
),

allowed as (
    select
        counted.cell_id,
        counted.from_class,
        cast(
            min(case when counted.spare < 0 then counted.records + counted.spare else counted.records end) as bigint
        ) as records
    from counted
    group by counted.cell_id, counted.from_class
)

select
    moves.cluster,
    moves.block,
    moves.cell_id,
    moves.from_class,
    moves.class_id,
    moves.gain,
    allowed.records
from "sqlanon_uhra_moves_0" as moves
inner join allowed
    on moves.cell_id = allowed.cell_id and moves.from_class = allowed.from_class
where allowed.records > 0
