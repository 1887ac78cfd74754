-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, label, records
-- paper: none
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one are
-- told apart where the value is published as it is, though Spark's grouping loses the sign; elsewhere
-- they are one, without a sign.
with `folded` as (
  select
    case when `records`.`q3` = 0 then abs(`records`.`q3`) else `records`.`q3` end as `value`
  from `sqlanon_records` as `records`
)
select
  `folded`.`value`,
  min(
    case
      when not typeof(`folded`.`value`) in ('double', 'float')
      then cast(`folded`.`value` as string)
      when cast(`folded`.`value` as string) = 'NaN'
      then 'nan'
      when cast(`folded`.`value` as string) = 'Infinity'
      then 'inf'
      when cast(`folded`.`value` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`folded`.`value` as string)) = 0
      then cast(`folded`.`value` as string)
      when abs(try_cast(cast(`folded`.`value` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`folded`.`value` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`folded`.`value` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`folded`.`value` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`folded`.`value` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`folded`.`value` as string), 'E', 2), '-', '')
    end
  ) as `label`,
  count(*) as `records`
from `folded`
group by
  `folded`.`value`
