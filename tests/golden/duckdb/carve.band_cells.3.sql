-- relation: band_cells
-- grain: one row per region and open cell that lies in a group able to give a class
-- inputs: open_cells, positions
-- outputs: region, cell_id, group_id, value, records, mix
-- paper: sqlanon, Carve §4
-- A band of lattice nodes, fine to coarse: every open cell goes to the first of them where its group
-- can give a class. Some k records of a group are t-close to the table if and only if the sum over
-- the values of min(held, share * k) is at least (1 - t) * k.
with keyed as (
    select
        1 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_0 * 61 + open_cells.q2_0) * 3 + open_cells.q3_0) as bigint) as key_1
    from "sqlanon_carve_open_0" as open_cells
    union all
    select
        2 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_0 * 61 + open_cells.q2_1) * 3 + open_cells.q3_0) as bigint) as key_1
    from "sqlanon_carve_open_0" as open_cells
    union all
    select
        3 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_0 * 61 + open_cells.q2_2) * 3 + open_cells.q3_0) as bigint) as key_1
    from "sqlanon_carve_open_0" as open_cells
    union all
    select
        4 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_0 * 61 + open_cells.q2_3) * 3 + open_cells.q3_0) as bigint) as key_1
    from "sqlanon_carve_open_0" as open_cells

),

held as (
    select
        keyed.node,
        keyed.region,
        keyed.key_1,
        keyed.value,
        cast(sum(keyed.records) as bigint) as records
    from keyed
    group by
        keyed.node,
        keyed.region,
        keyed.key_1,
        keyed.value
),

able as (
    select
        held.node,
        held.region,
        held.key_1
    from held
    inner join "sqlanon_carve_one_value" as positions
        on held.value = positions.code
    group by
        held.node,
        held.region,
        held.key_1
    having
        sum(held.records) >= 20
        and sum(
            case
                when held.records * 240 < positions.records * 20
                    then held.records * 240
                else positions.records * 20
            end
        ) * 1 >= 0
),

numbered as (
    select
        able.node,
        able.region,
        able.key_1,
        row_number() over (
            order by able.region, able.node, able.key_1
        ) as group_id
    from able
)

select
    keyed.region,
    keyed.cell_id,
    min(numbered.group_id) as group_id,
    keyed.value,
    keyed.records,
    keyed.mix
from keyed
inner join numbered
    on
        keyed.node = numbered.node
        and keyed.region = numbered.region
        and keyed.key_1 = numbered.key_1
group by keyed.region, keyed.cell_id, keyed.value, keyed.records, keyed.mix
