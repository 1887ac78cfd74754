with `hashed` as (
  select
    `read`.`q1`,
    `read`.`q2`,
    `read`.`q3`,
    `read`.`s1`,
    sha2(
      unhex((
        select
          max(`secret`.`value`)
        from `sqlanon_secret_1_outer` as `secret`
      )) || unhex(
        sha2(
          unhex((
            select
              max(`secret`.`value`)
            from `sqlanon_secret_1_inner` as `secret`
          )) || encode(cast(`read`.`x1` as string), 'utf-8'),
          256
        )
      ),
      256
    ) as `x1`
  from `sqlanon_read` as `read`
)
select
  `hashed`.`q1`,
  `hashed`.`q2`,
  `hashed`.`q3`,
  `hashed`.`s1`,
  `hashed`.`x1`
from `hashed`
