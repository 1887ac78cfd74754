with `pads` as (
  select
    (
      select
        max(`secret`.`value`)
      from `sqlanon_secret_1_inner` as `secret`
    ) as `value`
  union all
  select
    (
      select
        max(`secret`.`value`)
      from `sqlanon_secret_1_outer` as `secret`
    ) as `value`
)
select
  count(*) as `missing`
from `pads`
where
  `pads`.`value` is null
having
  count(*) > 0
