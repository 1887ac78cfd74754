with digested as (
    select
        cells.cell_id,
        cells.stratum,
        cells.records,
        cells.q1,
        cells.q2,
        cells.q3,
        cells.s1,
        ((((cast(7 as bigint) * 48271 + cells.q1) % 2147483647 * 48271 + cells.q2) % 2147483647 * 48271 + cells.q3) % 2147483647 * 48271 + cells.s1) % 2147483647 as digest
    from "sqlanon_search_cells" as cells
)

select
    digested.cell_id,
    digested.stratum,
    digested.records,
    digested.q1,
    digested.q2,
    digested.q3,
    digested.s1
from digested
where ((digested.digest * digested.digest % 2147483647) * (digested.digest * digested.digest % 2147483647) % 2147483647 * digested.digest % 2147483647) % 1 = 0
