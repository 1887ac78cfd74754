with `hashed` as (
  select
    `read`.`q1`,
    `read`.`q2`,
    `read`.`s1`,
    `read`.`x1`,
    `read`.`x2`,
    `read`.`x3`,
    `read`.`x4`,
    `read`.`k1`,
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
          )) || encode(
            cast('correlated_noise|visits|with noise of 0.1 of its standard deviation added, as correlated as visits and pounds are' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `d1`,
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
          )) || encode(
            cast('correlated_noise|pounds|with noise of 0.1 of its standard deviation added, as correlated as visits and pounds are' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `d2`,
    sha2(
      unhex((
        select
          max(`secret`.`value`)
        from `sqlanon_secret_2_outer` as `secret`
      )) || unhex(
        sha2(
          unhex((
            select
              max(`secret`.`value`)
            from `sqlanon_secret_2_inner` as `secret`
          )) || encode(
            cast('swap|ward, pain|swapped between up to 0.1 of the records that agree in sex, the rarest in age and sex first, ward and pain together' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `d3`
  from `sqlanon_read` as `read`
)
select
  `hashed`.`q1`,
  `hashed`.`q2`,
  `hashed`.`s1`,
  `hashed`.`x1`,
  `hashed`.`x2`,
  `hashed`.`x3`,
  `hashed`.`x4`,
  `hashed`.`k1`,
  cast(locate(substring(`hashed`.`d1`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d1`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d1`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d1`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d1`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d1`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d1`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d1`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d1`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d1`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d1`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d1`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d1`,
  cast(locate(substring(`hashed`.`d2`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d2`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d2`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d2`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d2`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d2`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d2`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d2`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d2`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d2`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d2`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d2`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d2`,
  cast(locate(substring(`hashed`.`d3`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d3`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d3`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d3`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d3`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d3`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d3`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d3`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d3`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d3`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d3`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d3`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d3`
from `hashed`
