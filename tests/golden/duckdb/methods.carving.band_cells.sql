with keyed as (
    select
        turns.node,
        open_cells.region,
        open_cells.cell_id,
        open_cells.value,
        open_cells.records,
        first_cells.mix,
        cast(
            183 * case turns.q1
                when 0 then first_cells.q1_0
                when 1 then first_cells.q1_1
                when 2 then first_cells.q1_2
                when 3 then first_cells.q1_3
                when 4 then first_cells.q1_4
                when 5 then first_cells.q1_5
            end
            + 3 * case turns.q2
                when 0 then first_cells.q2_0
                when 1 then first_cells.q2_1
                when 2 then first_cells.q2_2
                when 3 then first_cells.q2_3
                when 4 then first_cells.q2_4
                when 5 then first_cells.q2_5
            end
            + 1 * case turns.q3
                when 0 then first_cells.q3_0
                when 1 then first_cells.q3_1
                when 2 then first_cells.q3_2
                when 3 then first_cells.q3_3
                when 4 then first_cells.q3_4
                when 5 then first_cells.q3_5
            end
            as bigint
        ) as key_1
    from "sqlanon_carve_first" as open_cells
    inner join "sqlanon_carve_turns" as turns
        on open_cells.turn = turns.turn
    inner join "sqlanon_carve_first" as first_cells
        on open_cells.cell_id = first_cells.cell_id and open_cells.region = first_cells.region
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
    having sum(keyed.records) >= 20
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
)

select
    members.region,
    members.cell_id,
    min(members.group_id) as group_id,
    members.value,
    members.records,
    members.mix
from members
group by members.region, members.cell_id, members.value, members.records, members.mix
