-- relation: ends
-- grain: one row per class
-- inputs: classes
-- outputs: class_id, low, high, stands
-- paper: none
-- A published cell as the least and the greatest value that it stands for, as text; stands is 0 of NULL, 1
-- of a value or an interval, and 2 of a cell that says nothing.
select
    classes.class_id,
    case
        when classes.p1 like '[%, %]'
            then substr(classes.p1, 2, strpos(classes.p1, ', ') - 2)
        when classes.p1 <> '*' then classes.p1
    end as low,
    case
        when classes.p1 like '[%, %]'
            then
                substr(
                    classes.p1,
                    strpos(classes.p1, ', ') + 2,
                    length(classes.p1) - strpos(classes.p1, ', ') - 2
                )
        when classes.p1 <> '*' then classes.p1
    end as high,
    case when classes.p1 is null then 0 when classes.p1 = '*' then 2 else 1 end as stands
from "sqlanon_classes" as classes
