-- relation: values_in_use
-- grain: one row per distinct value of the attribute, NULL among them
-- inputs: records
-- outputs: value, label, records
-- paper: none
-- The label is the value as text, wherever a release writes one. Zero with a sign and without one are
-- told apart where the value is published as it is, though Spark's grouping loses the sign; elsewhere
-- they are one, without a sign.
select
  `records`.`s1` as `value`,
  min(
    case
      when not typeof(`records`.`s1`) in ('double', 'float')
      then cast(`records`.`s1` as string)
      when cast(`records`.`s1` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`s1` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`s1` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`s1` as string)) = 0
      then cast(`records`.`s1` as string)
      when abs(try_cast(cast(`records`.`s1` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`s1` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`s1` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`s1` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`s1` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`s1` as string), 'E', 2), '-', '')
    end
  ) as `label`,
  count(*) as `records`
from `sqlanon_pairs_s1` as `records`
group by
  `records`.`s1`
