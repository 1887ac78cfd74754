with origin as (
    select min(numbered.rowid) as first_row
    from "sqlanon_stacked" as numbered
),

dealt as (
    select
        stripe_stacks.pile,
        (stacked.rowid - origin.first_row - stripe_stacks.first_place) % stripe_stacks.classes
            as class_of_stripe,
        stripe_stacks.first_class
    from "sqlanon_stacked" as stacked
    cross join origin
    inner join "sqlanon_stripe_stacks" as stripe_stacks
        on stacked.pile = stripe_stacks.pile
)

select cast(dealt.first_class + dealt.class_of_stripe as integer) as class_id
from dealt
order by dealt.pile * 4294967296 + dealt.class_of_stripe * 2654435769 % 4294967296
