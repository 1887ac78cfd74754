-- relation: band_cells
-- grain: one row per region and open cell that lies in a group able to give a class
-- inputs: open_cells, combinations, stretches_*
-- outputs: region, cell_id, group_id, value, records, mix
-- paper: sqlanon, Carve §4
-- A band of lattice nodes, fine to coarse: every open cell goes to the first of them where its group
-- can give a class. By the equal distance some k records of a group are t-close to the table if and
-- only if the sum over the values of min(held, share * k) is at least (1 - t) * k; by the ordered one
-- if a path of cumulated counts that ends at k is near enough to the table's.
with keyed as (
    select
        1 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_0 * 241 + open_cells.q2_0) * 241 + open_cells.q3_0) as bigint) as key_1
    from "sqlanon_carve_open" as open_cells
    union all
    select
        2 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_1 * 241 + open_cells.q2_0) * 241 + open_cells.q3_0) as bigint) as key_1
    from "sqlanon_carve_open" as open_cells
    union all
    select
        3 as node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(((open_cells.q1_0 * 241 + open_cells.q2_0) * 241 + open_cells.q3_1) as bigint) as key_1
    from "sqlanon_carve_open" as open_cells

),

numbered as (
    select
        keyed.node,
        keyed.region,
        keyed.key_1,
        row_number() over (
            order by keyed.region, keyed.node, keyed.key_1
        ) as group_id
    from keyed
    group by
        keyed.node,
        keyed.region,
        keyed.key_1
    having sum(keyed.records) >= 10
),

members as (
    select
        keyed.region,
        keyed.cell_id,
        numbered.group_id,
        keyed.value,
        keyed.records,
        keyed.mix
    from keyed
    inner join numbered
        on
            keyed.node = numbered.node
            and keyed.region = numbered.region
            and keyed.key_1 = numbered.key_1
),

margins_s1 as (
    select
        members.group_id,
        combinations.s1_place as place,
        cast(sum(members.records) as bigint) as records
    from members
    inner join "sqlanon_carve_combinations" as combinations
        on members.value = combinations.code
    group by members.group_id, combinations.s1_place
),

able_s1 as (
    select margins_s1.group_id
    from margins_s1
    inner join "sqlanon_carve_stretches_s1" as stretches_s1
        on margins_s1.place = stretches_s1.place
    group by margins_s1.group_id
    having
        sum(margins_s1.records) >= 10
        and sum(
            case
                when margins_s1.records * 240 < stretches_s1.frequency * 10
                    then margins_s1.records * 240
                else stretches_s1.frequency * 10
            end
        ) * 10 >= 2400
        and count(*) >= 2
        and sum(
            case
                when margins_s1.records * 5 < 40
                    then margins_s1.records * 5
                else 40
            end
        ) >= 50
)

select
    members.region,
    members.cell_id,
    min(members.group_id) as group_id,
    members.value,
    members.records,
    members.mix
from members
inner join able_s1
    on members.group_id = able_s1.group_id
group by members.region, members.cell_id, members.value, members.records, members.mix
