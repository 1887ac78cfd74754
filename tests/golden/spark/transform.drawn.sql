-- relation: drawn
-- grain: one row per record of the source
-- inputs: read, secret_*
-- outputs: q*|s*|x*|k*|w*|d*
-- paper: RFC 2104; FIPS 180-4
-- Beside each record what is drawn of it by a key: the first 48 bits of HMAC-SHA-256 of what names the
-- record, or the person, and of what it is drawn for.
with `hashed` as (
  select
    `read`.`q1`,
    `read`.`s1`,
    `read`.`x1`,
    `read`.`x2`,
    `read`.`x3`,
    `read`.`x4`,
    `read`.`x5`,
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
            cast('noise|visits|with noise within 2 added' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
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
        from `sqlanon_secret_2_outer` as `secret`
      )) || unhex(
        sha2(
          unhex((
            select
              max(`secret`.`value`)
            from `sqlanon_secret_2_inner` as `secret`
          )) || encode(
            cast('noise|pounds|multiplied by noise within 0.05 of 1' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
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
        from `sqlanon_secret_3_outer` as `secret`
      )) || unhex(
        sha2(
          unhex((
            select
              max(`secret`.`value`)
            from `sqlanon_secret_3_inner` as `secret`
          )) || encode(
            cast('rank_swap|grams|traded between records within 0.05 of the ranks' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `d3`,
    sha2(
      unhex((
        select
          max(`secret`.`value`)
        from `sqlanon_secret_4_outer` as `secret`
      )) || unhex(
        sha2(
          unhex((
            select
              max(`secret`.`value`)
            from `sqlanon_secret_4_inner` as `secret`
          )) || encode(
            cast('date_shift|shifted by up to 30 days, the same for all dates of a person' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `d4`,
    sha2(
      unhex((
        select
          max(`secret`.`value`)
        from `sqlanon_secret_5_outer` as `secret`
      )) || unhex(
        sha2(
          unhex((
            select
              max(`secret`.`value`)
            from `sqlanon_secret_5_inner` as `secret`
          )) || encode(
            cast('pram|ward|kept with a chance of 0.9, else drawn as the column has them' || '|' || coalesce(replace(replace(cast(`read`.`k1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `d5`
  from `sqlanon_read` as `read`
)
select
  `hashed`.`q1`,
  `hashed`.`s1`,
  `hashed`.`x1`,
  `hashed`.`x2`,
  `hashed`.`x3`,
  `hashed`.`x4`,
  `hashed`.`x5`,
  `hashed`.`k1`,
  cast(locate(substring(`hashed`.`d1`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d1`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d1`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d1`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d1`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d1`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d1`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d1`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d1`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d1`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d1`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d1`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d1`,
  cast(locate(substring(`hashed`.`d2`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d2`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d2`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d2`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d2`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d2`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d2`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d2`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d2`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d2`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d2`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d2`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d2`,
  cast(locate(substring(`hashed`.`d3`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d3`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d3`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d3`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d3`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d3`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d3`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d3`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d3`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d3`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d3`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d3`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d3`,
  cast(locate(substring(`hashed`.`d4`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d4`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d4`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d4`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d4`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d4`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d4`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d4`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d4`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d4`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d4`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d4`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d4`,
  cast(locate(substring(`hashed`.`d5`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`d5`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`d5`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`d5`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`d5`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`d5`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`d5`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`d5`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`d5`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`d5`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`d5`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`d5`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `d5`
from `hashed`
