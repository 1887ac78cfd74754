with fewer as (
    select listed.records
    from (values (0), (1), (2)) as listed (records)
),

shares as (
    select
        group_values.region,
        group_values.group_id,
        group_values.value,
        group_values.frequency,
        group_values.held,
        group_values.most - fewer.records as size,
        group_values.frequency * (group_values.most - fewer.records) % 240 as fraction,
        cast(
            (
                group_values.frequency * (group_values.most - fewer.records)
                - group_values.frequency * (group_values.most - fewer.records) % 240
            ) / 240 as bigint
        ) as whole,
        cast(remainder.records as double) / group_values.frequency as surplus
    from "sqlanon_carve_groups" as group_values
    cross join fewer
    inner join "sqlanon_carve_remainder" as remainder
        on group_values.region = remainder.region and group_values.value = remainder.value
    where group_values.most - fewer.records >= 20
),

offers as (
    select
        shares.region,
        shares.group_id,
        shares.size,
        shares.value,
        shares.frequency,
        1 as step,
        0.0 as turn,
        case when shares.held < shares.whole then shares.held else shares.whole end as offered
    from shares
    union all
    select
        shares.region,
        shares.group_id,
        shares.size,
        shares.value,
        shares.frequency,
        2 as step,
        -cast(shares.fraction as double) as turn,
        1 as offered
    from shares
    where shares.held > shares.whole and shares.fraction > 0
    union all
    select
        shares.region,
        shares.group_id,
        shares.size,
        shares.value,
        shares.frequency,
        3 as step,
        -shares.surplus as turn,
        shares.held - shares.whole - case when shares.fraction > 0 then 1 else 0 end as offered
    from shares
    where shares.held > shares.whole
),

turns as (
    select
        offers.region,
        offers.group_id,
        offers.size,
        offers.value,
        offers.frequency,
        offers.offered,
        cast(
            sum(offers.offered) over (
                partition by offers.group_id, offers.size
                order by offers.step, offers.turn, offers.value
                rows unbounded preceding
            ) - offers.offered as bigint
        ) as before
    from offers
    where offers.offered > 0
),

filled as (
    select
        turns.region,
        turns.group_id,
        turns.size,
        turns.value,
        turns.frequency,
        cast(
            sum(
                case
                    when turns.size - turns.before < turns.offered then turns.size - turns.before
                    else turns.offered
                end
            ) as bigint
        ) as taken
    from turns
    where turns.before < turns.size
    group by turns.region, turns.group_id, turns.size, turns.value, turns.frequency
),

tested as (
    select
        filled.group_id,
        filled.size
    from filled
    group by filled.group_id, filled.size
    having
        sum(filled.taken) = filled.size
        and cast(
            sum(
                case
                    when filled.taken * 240 > filled.frequency * filled.size
                        then filled.taken * 240 - filled.frequency * filled.size
                    else 0
                end
            ) as decimal(38, 0)
        ) * 1
        <= cast(filled.size as decimal(38, 0)) * 240
),

largest as (
    select
        tested.group_id,
        max(tested.size) as size
    from tested
    group by tested.group_id
)

select
    filled.region,
    filled.group_id,
    filled.value,
    filled.taken,
    filled.size
from filled
inner join largest
    on filled.group_id = largest.group_id and filled.size = largest.size
where filled.taken > 0
