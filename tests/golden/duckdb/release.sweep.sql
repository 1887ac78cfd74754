select
    cast(tried.combination as integer) as combination,
    tried.method,
    cast(tried.k as bigint) as k,
    cast(tried.attribute as varchar) as attribute,
    cast(tried.t_asked as varchar) as t_asked,
    cast(tried.t_reached as double) as t_reached,
    cast(tried.classes as bigint) as classes,
    cast(tried.gcp as double) as gcp,
    cast(tried.c_avg as double) as c_avg,
    cast(tried.marketer_risk as double) as marketer_risk,
    cast(tried.record_linkage as double) as record_linkage,
    cast(tried.cost as double) as cost,
    cast(tried.seconds as double) as seconds,
    tried.holds,
    tried.why,
    cast(tried.bk_asked as varchar) as bk_asked,
    cast(tried.bk_reached as double) as bk_reached,
    cast(tried.l_asked as varchar) as l_asked,
    cast(tried.l_reached as double) as l_reached
from (
    values
    (1, 'a method', 2, 's', '0.1', '0.25', 3, '0.5', '1.0', '0.1', null, '1.0', '0.2', true, '', null, null, null, null),
    (2, 'it''s', 3, 's', null, null, null, null, null, null, null, null, null, false, '', null, null, null, null)
) as tried (combination, method, k, attribute, t_asked, t_reached, classes, gcp, c_avg, marketer_risk, record_linkage, cost, seconds, holds, why, bk_asked, bk_reached, l_asked, l_reached)
order by
    cast(tried.combination as integer),
    cast(tried.attribute as varchar)
