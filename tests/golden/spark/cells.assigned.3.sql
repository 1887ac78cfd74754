-- relation: assigned
-- grain: one row per record
-- inputs: coded, cells, ranges
-- outputs: class_id, q*, s*, x*
-- paper: none
-- Hand the records of every cell out to its classes, in a seeded order of what else is declared of
-- them; records equal in that too are interchangeable.
with `labelled` as (
  select
    case
      when not typeof(`coded`.`x0`) in ('double', 'float')
      then cast(`coded`.`x0` as string)
      when cast(`coded`.`x0` as string) = 'NaN'
      then 'nan'
      when cast(`coded`.`x0` as string) = 'Infinity'
      then 'inf'
      when cast(`coded`.`x0` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`coded`.`x0` as string)) = 0
      then cast(`coded`.`x0` as string)
      when abs(try_cast(cast(`coded`.`x0` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(cast(try_cast(cast(`coded`.`x0` as string) as decimal(38, 21)) as string), '0+$', ''),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`coded`.`x0` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`coded`.`x0` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`coded`.`x0` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`coded`.`x0` as string), 'E', 2), '-', '')
    end as `label_x0`,
    `coded`.`q1`,
    `coded`.`q2`,
    `coded`.`s1`,
    `coded`.`x0`
  from `sqlanon_units` as `coded`
), `numbered` as (
  select
    `labelled`.`q1`,
    `labelled`.`q2`,
    `labelled`.`s1`,
    `labelled`.`x0`,
    `cells`.`cell_id`,
    row_number() over (
      partition by `cells`.`cell_id`
      order by md5('0' || '|' || coalesce(`labelled`.`label_x0`, '')) nulls last, `labelled`.`x0` nulls last
    ) - 1 as `turn`
  from `labelled`
  inner join `sqlanon_cells` as `cells`
    on `labelled`.`q1` = `cells`.`q1`
    and `labelled`.`q2` = `cells`.`q2`
    and `labelled`.`s1` = `cells`.`s1`
)
select
  `ranges`.`class_id`,
  `numbered`.`q1`,
  `numbered`.`q2`,
  `numbered`.`s1`,
  `numbered`.`x0`
from `numbered`
inner join `sqlanon_ranges` as `ranges`
  on `numbered`.`cell_id` = `ranges`.`cell_id`
  and `numbered`.`turn` >= `ranges`.`first_turn`
  and `numbered`.`turn` < `ranges`.`next_turn`
