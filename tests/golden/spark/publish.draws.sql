with `needed` as (
  select
    `listed`.`figure`,
    `listed`.`draw`
  from values
    (0, 0),
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (0, 5),
    (0, 6),
    (0, 7),
    (0, 8),
    (0, 9),
    (0, 10),
    (0, 11),
    (0, 12),
    (0, 13),
    (0, 14),
    (0, 15),
    (0, 16),
    (0, 17),
    (1, 0),
    (1, 1),
    (1, 2),
    (1, 3),
    (1, 4),
    (1, 5),
    (1, 6),
    (1, 7),
    (1, 8),
    (1, 9),
    (1, 10),
    (1, 11),
    (1, 12),
    (1, 13),
    (1, 14),
    (1, 15),
    (1, 16),
    (1, 17),
    (1, 18),
    (1, 19),
    (1, 20),
    (1, 21),
    (1, 22),
    (1, 23) as `listed`(`figure`, `draw`)
), `named` as (
  select
    `counted`.`number`,
    `needed`.`figure`,
    `needed`.`draw`
  from `sqlanon_counted` as `counted`
  cross join `needed`
), `hashed` as (
  select
    `named`.`number`,
    `named`.`figure`,
    `named`.`draw`,
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
            cast('noise' || '|' || coalesce(replace(replace(cast(`named`.`number` as string), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(`named`.`figure` as string), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(`named`.`draw` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `hash`
  from `named`
)
select
  `hashed`.`number`,
  `hashed`.`figure`,
  `hashed`.`draw`,
  cast(locate(substring(`hashed`.`hash`, 1, 1), '0123456789abcdef') - 1 as bigint) * 17592186044416 + cast(locate(substring(`hashed`.`hash`, 2, 1), '0123456789abcdef') - 1 as bigint) * 1099511627776 + cast(locate(substring(`hashed`.`hash`, 3, 1), '0123456789abcdef') - 1 as bigint) * 68719476736 + cast(locate(substring(`hashed`.`hash`, 4, 1), '0123456789abcdef') - 1 as bigint) * 4294967296 + cast(locate(substring(`hashed`.`hash`, 5, 1), '0123456789abcdef') - 1 as bigint) * 268435456 + cast(locate(substring(`hashed`.`hash`, 6, 1), '0123456789abcdef') - 1 as bigint) * 16777216 + cast(locate(substring(`hashed`.`hash`, 7, 1), '0123456789abcdef') - 1 as bigint) * 1048576 + cast(locate(substring(`hashed`.`hash`, 8, 1), '0123456789abcdef') - 1 as bigint) * 65536 + cast(locate(substring(`hashed`.`hash`, 9, 1), '0123456789abcdef') - 1 as bigint) * 4096 + cast(locate(substring(`hashed`.`hash`, 10, 1), '0123456789abcdef') - 1 as bigint) * 256 + cast(locate(substring(`hashed`.`hash`, 11, 1), '0123456789abcdef') - 1 as bigint) * 16 + cast(locate(substring(`hashed`.`hash`, 12, 1), '0123456789abcdef') - 1 as bigint) * 1 as `drawn`
from `hashed`
