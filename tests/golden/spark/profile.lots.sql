with `told` as (
  select
    case
      when not typeof(`records`.`x4`) in ('double', 'float')
      then cast(`records`.`x4` as string)
      when cast(`records`.`x4` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x4` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x4` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x4` as string)) = 0
      then cast(`records`.`x4` as string)
      when abs(try_cast(cast(`records`.`x4` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x4` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x4` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x4` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x4` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x4` as string), 'E', 2), '-', '')
    end as `x4`,
    case
      when not typeof(`records`.`x6`) in ('double', 'float')
      then cast(`records`.`x6` as string)
      when cast(`records`.`x6` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x6` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x6` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x6` as string)) = 0
      then cast(`records`.`x6` as string)
      when abs(try_cast(cast(`records`.`x6` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x6` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x6` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x6` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x6` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x6` as string), 'E', 2), '-', '')
    end as `x6`,
    case
      when not typeof(`records`.`x7`) in ('double', 'float')
      then cast(`records`.`x7` as string)
      when cast(`records`.`x7` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x7` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x7` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x7` as string)) = 0
      then cast(`records`.`x7` as string)
      when abs(try_cast(cast(`records`.`x7` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x7` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x7` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x7` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x7` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x7` as string), 'E', 2), '-', '')
    end as `x7`,
    case
      when not typeof(`records`.`x8`) in ('double', 'float')
      then cast(`records`.`x8` as string)
      when cast(`records`.`x8` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x8` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x8` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x8` as string)) = 0
      then cast(`records`.`x8` as string)
      when abs(try_cast(cast(`records`.`x8` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x8` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x8` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x8` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x8` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x8` as string), 'E', 2), '-', '')
    end as `x8`,
    case
      when not typeof(`records`.`x9`) in ('double', 'float')
      then cast(`records`.`x9` as string)
      when cast(`records`.`x9` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x9` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x9` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x9` as string)) = 0
      then cast(`records`.`x9` as string)
      when abs(try_cast(cast(`records`.`x9` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x9` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x9` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x9` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x9` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x9` as string), 'E', 2), '-', '')
    end as `x9`,
    case
      when not typeof(`records`.`x10`) in ('double', 'float')
      then cast(`records`.`x10` as string)
      when cast(`records`.`x10` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x10` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x10` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x10` as string)) = 0
      then cast(`records`.`x10` as string)
      when abs(try_cast(cast(`records`.`x10` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x10` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x10` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x10` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x10` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x10` as string), 'E', 2), '-', '')
    end as `x10`,
    case
      when not typeof(`records`.`x11`) in ('double', 'float')
      then cast(`records`.`x11` as string)
      when cast(`records`.`x11` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x11` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x11` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x11` as string)) = 0
      then cast(`records`.`x11` as string)
      when abs(try_cast(cast(`records`.`x11` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x11` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x11` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x11` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x11` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x11` as string), 'E', 2), '-', '')
    end as `x11`,
    case
      when not typeof(`records`.`x12`) in ('double', 'float')
      then cast(`records`.`x12` as string)
      when cast(`records`.`x12` as string) = 'NaN'
      then 'nan'
      when cast(`records`.`x12` as string) = 'Infinity'
      then 'inf'
      when cast(`records`.`x12` as string) = '-Infinity'
      then '-inf'
      when locate('E', cast(`records`.`x12` as string)) = 0
      then cast(`records`.`x12` as string)
      when abs(try_cast(cast(`records`.`x12` as string) as double)) between 0.0001 and 9999999999999998
      then regexp_replace(
        regexp_replace(
          cast(try_cast(cast(`records`.`x12` as string) as decimal(38, 21)) as string),
          '0+$',
          ''
        ),
        '[.]$',
        '.0'
      )
      else replace(split_part(cast(`records`.`x12` as string), 'E', 1) || 'e', '.0e', 'e') || case when locate('E-', cast(`records`.`x12` as string)) > 0 then '-' else '+' end || case
        when length(replace(split_part(cast(`records`.`x12` as string), 'E', 2), '-', '')) = 1
        then '0'
        else ''
      end || replace(split_part(cast(`records`.`x12` as string), 'E', 2), '-', '')
    end as `x12`
  from `sqlanon_records` as `records`
)
select
  cast(md5(
    '' || coalesce(`told`.`x4`, '~') || '|' || coalesce(`told`.`x6`, '~') || '|' || coalesce(`told`.`x7`, '~') || '|' || coalesce(`told`.`x8`, '~') || '|' || coalesce(`told`.`x9`, '~') || '|' || coalesce(`told`.`x10`, '~') || '|' || coalesce(`told`.`x11`, '~') || '|' || coalesce(`told`.`x12`, '~') || '|'
  ) as string) as `lot`,
  `told`.`x4`,
  `told`.`x6`,
  `told`.`x7`,
  `told`.`x8`,
  `told`.`x9`,
  `told`.`x10`,
  `told`.`x11`,
  `told`.`x12`
from `told`
