-- relation: band_cells
-- grain: one row per region and open cell that lies in a group able to give a class
-- inputs: open_cells, turns, combinations, stretches_*, open_values_*
-- outputs: region, cell_id, group_id, value, records, mix
-- paper: sqlanon, Carve §4
-- A band of lattice nodes, fine to coarse: every open cell goes to the first of them where its group
-- can give a class. By the equal distance some k records of a group are t-close to the table if and
-- only if the sum over the values of min(held, share * k) is at least (1 - t) * k; by the ordered one
-- if a path of cumulated counts that ends at k is near enough to the table's. Of several attributes each
-- is tested only on the groups that can give a class by those before it; so what can by the last one
-- can by all.
with keyed as (
    select
        turns.node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        open_cells.mix,
        cast(
            58081 * case turns.q1
                when 0 then open_cells.q1_0
                when 1 then open_cells.q1_1
                when 2 then open_cells.q1_2
                when 3 then open_cells.q1_3
                when 4 then open_cells.q1_4
                when 5 then open_cells.q1_5
                when 6 then open_cells.q1_6
                when 7 then open_cells.q1_7
                when 8 then open_cells.q1_8
                when 9 then open_cells.q1_9
            end
            + 241 * case turns.q2
                when 0 then open_cells.q2_0
                when 1 then open_cells.q2_1
                when 2 then open_cells.q2_2
            end
            + 1 * case turns.q3
                when 0 then open_cells.q3_0
                when 1 then open_cells.q3_1
                when 2 then open_cells.q3_2
                when 3 then open_cells.q3_3
                when 4 then open_cells.q3_4
                when 5 then open_cells.q3_5
                when 6 then open_cells.q3_6
                when 7 then open_cells.q3_7
                when 8 then open_cells.q3_8
                when 9 then open_cells.q3_9
            end
            as bigint
        ) as key_1
    from "sqlanon_carve_left_in_1" as open_cells
    inner join "sqlanon_carve_turns" as turns
        on open_cells.turn = turns.turn
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
        members.region,
        members.group_id,
        combinations.s1_place as place,
        cast(sum(members.records) as bigint) as records
    from members
    inner join "sqlanon_carve_combinations" as combinations
        on members.value = combinations.code
    group by members.region, members.group_id, combinations.s1_place
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
