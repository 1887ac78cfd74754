with turns as (
    select
        band_cells.region,
        band_cells.cell_id,
        accepted_values.class_id,
        band_cells.records,
        accepted_values.taken,
        cast(
            sum(band_cells.records) over (
                partition by accepted_values.class_id, band_cells.value
                order by band_cells.mix, band_cells.cell_id
                rows unbounded preceding
            ) - band_cells.records as bigint
        ) as before
    from "sqlanon_carve_band" as band_cells
    inner join "sqlanon_carve_accepted" as accepted_values
        on band_cells.group_id = accepted_values.group_id and band_cells.value = accepted_values.value
)

select
    turns.region,
    turns.cell_id,
    turns.class_id,
    case
        when turns.taken - turns.before < turns.records then turns.taken - turns.before
        else turns.records
    end as records
from turns
where turns.before < turns.taken
