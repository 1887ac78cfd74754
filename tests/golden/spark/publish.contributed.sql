with `hashed` as (
  select
    `labelled`.`q1`,
    `labelled`.`q2`,
    `labelled`.`q3`,
    `labelled`.`s1`,
    `labelled`.`w1`,
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
            cast('contribution' || '|' || coalesce(replace(replace(cast(`labelled`.`q1` as string), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(`labelled`.`q2` as string), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(`labelled`.`q3` as string), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(`labelled`.`s1` as string), '~', '~~'), '|', '~p'), '~n') as string),
            'utf-8'
          ),
          256
        )
      ),
      256
    ) as `drawn`
  from `sqlanon_labelled` as `labelled`
), `placed` as (
  select
    `hashed`.`q1`,
    `hashed`.`q2`,
    `hashed`.`q3`,
    `hashed`.`s1`,
    `hashed`.`w1`,
    row_number() over (partition by `hashed`.`w1` order by `hashed`.`drawn` nulls last) as `turn`
  from `hashed`
)
select
  `placed`.`q1`,
  `placed`.`q2`,
  `placed`.`q3`,
  `placed`.`s1`,
  `placed`.`w1`
from `placed`
where
  `placed`.`turn` <= 2
