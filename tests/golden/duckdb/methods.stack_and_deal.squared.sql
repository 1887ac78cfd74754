with products as (
    select
        matrix.a_0_0 * matrix.a_0_0 + matrix.a_0_1 * matrix.a_0_1 as a_0_0,
        matrix.a_0_0 * matrix.a_0_1 + matrix.a_0_1 * matrix.a_1_1 as a_0_1,
        matrix.a_0_1 * matrix.a_0_1 + matrix.a_1_1 * matrix.a_1_1 as a_1_1
    from "sqlanon_matrix_0" as matrix
)

select
    floor(products.a_0_0 * 1000000 / nullif(greatest(products.a_0_0, products.a_1_1), 0)) as a_0_0,
    floor(products.a_0_1 * 1000000 / nullif(greatest(products.a_0_0, products.a_1_1), 0)) as a_0_1,
    floor(products.a_1_1 * 1000000 / nullif(greatest(products.a_0_0, products.a_1_1), 0)) as a_1_1
from products
