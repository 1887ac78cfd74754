-- relation: content
-- grain: one row
-- inputs: released
-- outputs: records, content
-- paper: none
-- What a certificate says of a published table: how many records it has, and a hash of them that no order
-- of the rows changes and every change of a cell does, the same on every engine.
with `labelled` as (
  select
    case
      when not typeof(`released`.`age_min`) in ('double', 'float')
      then cast(`released`.`age_min` as string)
      when cast(`released`.`age_min` as string) = 'NaN'
      then 'nan'
      when cast(`released`.`age_min` as string) = 'Infinity'
      then 'inf'
      when cast(`released`.`age_min` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`released`.`age_min` as string)) = 0
      then cast(`released`.`age_min` as string)
      when abs(try_cast(cast(`released`.`age_min` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`released`.`age_min` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`released`.`age_min` as string), 'E', 1) || 'e', '.0e', 'e') || case
        when locate('E-', cast(`released`.`age_min` as string)) > 0
        then '-'
        else '+'
      end || case
        when length(replace(split_part(cast(`released`.`age_min` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`released`.`age_min` as string), 'E', 2), '-', '')
    end as `label_1`,
    case
      when not typeof(`released`.`disease`) in ('double', 'float')
      then cast(`released`.`disease` as string)
      when cast(`released`.`disease` as string) = 'NaN'
      then 'nan'
      when cast(`released`.`disease` as string) = 'Infinity'
      then 'inf'
      when cast(`released`.`disease` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`released`.`disease` as string)) = 0
      then cast(`released`.`disease` as string)
      when abs(try_cast(cast(`released`.`disease` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`released`.`disease` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`released`.`disease` as string), 'E', 1) || 'e', '.0e', 'e') || case
        when locate('E-', cast(`released`.`disease` as string)) > 0
        then '-'
        else '+'
      end || case
        when length(replace(split_part(cast(`released`.`disease` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`released`.`disease` as string), 'E', 2), '-', '')
    end as `label_2`
  from `patients_public` as `released`
), `texts` as (
  select
    coalesce(replace(replace(`labelled`.`label_1`, '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(`labelled`.`label_2`, '~', '~~'), '|', '~p'), '~n') as `row_text`
  from `labelled`
), `hashed` as (
  select
    sha2(`texts`.`row_text`, 256) as `row_hash`
  from `texts`
), `counted` as (
  select
    `hashed`.`row_hash`,
    count(*) as `records`
  from `hashed`
  group by
    `hashed`.`row_hash`
), `parts` as (
  select
    left(`counted`.`row_hash`, 3) as `part`,
    sum(`counted`.`records`) as `records`,
    array_join(
      array_sort(collect_list(`counted`.`row_hash` || ':' || cast(`counted`.`records` as string))),
      ','
    ) as `part_text`
  from `counted`
  group by
    left(`counted`.`row_hash`, 3)
), `part_hashes` as (
  select
    `parts`.`records`,
    `parts`.`part` || sha2(`parts`.`part_text`, 256) as `part_hash`
  from `parts`
), `whole` as (
  select
    cast(coalesce(sum(`part_hashes`.`records`), 0) as bigint) as `records`,
    coalesce(array_join(array_sort(collect_list(`part_hashes`.`part_hash`)), ','), '') as `whole_text`
  from `part_hashes`
)
select
  `whole`.`records`,
  sha2(`whole`.`whole_text`, 256) as `content`
from `whole`
