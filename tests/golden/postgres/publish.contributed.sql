with hashed as (
    select
        labelled.q1,
        labelled.q2,
        labelled.q3,
        labelled.s1,
        labelled.w1,
        encode(sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_outer', true), ''), 'hex') || sha256(decode(nullif(current_setting('sqlanon.' || 'sqlanon_secret_1_inner', true), ''), 'hex') || convert_to(cast('contribution' || '|' || coalesce(replace(replace(cast(labelled.q1 as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(labelled.q2 as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(labelled.q3 as varchar), '~', '~~'), '|', '~p'), '~n') || '|' || coalesce(replace(replace(cast(labelled.s1 as varchar), '~', '~~'), '|', '~p'), '~n') as text), 'UTF8'))), 'hex') as drawn
    from "sqlanon_labelled" as labelled
),

placed as (
    select
        hashed.q1,
        hashed.q2,
        hashed.q3,
        hashed.s1,
        hashed.w1,
        row_number() over (
            partition by hashed.w1
            order by hashed.drawn
        ) as turn
    from hashed
)

select
    placed.q1,
    placed.q2,
    placed.q3,
    placed.s1,
    placed.w1
from placed
where placed.turn <= 2
