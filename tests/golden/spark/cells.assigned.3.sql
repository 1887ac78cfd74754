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
      when not typeof(`coded`.`k1`) in ('double', 'float')
      then cast(`coded`.`k1` as string)
      when cast(`coded`.`k1` as string) = 'NaN'
      then 'nan'
      when cast(`coded`.`k1` as string) = 'Infinity'
      then 'inf'
      when cast(`coded`.`k1` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`coded`.`k1` as string)) = 0
      then cast(`coded`.`k1` as string)
      when abs(try_cast(cast(`coded`.`k1` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(cast(try_cast(cast(`coded`.`k1` as string) as decimal(38, 21)) as string), '0+$', ''),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`coded`.`k1` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`coded`.`k1` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`coded`.`k1` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`coded`.`k1` as string), 'E', 2), '-', '')
    end as `label_k1`,
    `coded`.`k1`,
    `coded`.`q1`,
    `coded`.`q2`,
    `coded`.`q3`,
    `coded`.`s1`,
    `coded`.`s2`
  from `sqlanon_coded` as `coded`
), `numbered` as (
  select
    `labelled`.`q1`,
    `labelled`.`q2`,
    `labelled`.`q3`,
    `labelled`.`s1`,
    `labelled`.`s2`,
    `cells`.`cell_id`,
    row_number() over (
      partition by `cells`.`cell_id`
      order by md5('0' || '|' || coalesce(`labelled`.`label_k1`, '')) nulls last, `labelled`.`k1` nulls last
    ) - 1 as `turn`
  from `labelled`
  inner join `sqlanon_cells` as `cells`
    on `labelled`.`q1` = `cells`.`q1`
    and `labelled`.`q2` = `cells`.`q2`
    and `labelled`.`q3` = `cells`.`q3`
    and `labelled`.`s1` = `cells`.`s1`
    and `labelled`.`s2` = `cells`.`s2`
)
select
  `ranges`.`class_id`,
  `numbered`.`q1`,
  `numbered`.`q2`,
  `numbered`.`q3`,
  `numbered`.`s1`,
  `numbered`.`s2`
from `numbered`
inner join `sqlanon_ranges` as `ranges`
  on `numbered`.`cell_id` = `ranges`.`cell_id`
  and `numbered`.`turn` >= `ranges`.`first_turn`
  and `numbered`.`turn` < `ranges`.`next_turn`
