with gathered as (
    select
        large_groups.class_id,
        candidates.unit_id
    from "sqlanon_cells_chosen_1" as candidates
    inner join "sqlanon_cells_groups_2" as large_groups
        on
            candidates.q1 = large_groups.q1
    union all
    select
        large_groups.class_id,
        settled.unit_id
    from "sqlanon_cells_settled_1" as settled
    inner join "sqlanon_cells_groups_2" as large_groups
        on
            settled.q1 = large_groups.q1
),

counted as (
    select
        gathered.class_id,
        unit_values.s1 as code,
        cast(sum(unit_values.records) as bigint) as records
    from gathered
    inner join "sqlanon_cells_unit_values" as unit_values
        on gathered.unit_id = unit_values.unit_id
    group by gathered.class_id, unit_values.s1
)

select
    counted.class_id,
    counted.code,
    positions.position,
    counted.records
from counted
inner join "sqlanon_positions_s1" as positions
    on counted.code = positions.code
