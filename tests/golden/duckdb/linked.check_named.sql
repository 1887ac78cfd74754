-- relation: check_named
-- grain: one row if the pseudonyms of a release do not name its persons one by one
-- inputs: named, members
-- outputs: nameless, several, named, persons
-- paper: none
with found as (
    select
        sum(case when named.name is null then 1 else 0 end) as nameless,
        sum(case when named.class_id <> named.last_class_id then 1 else 0 end) as several,
        count(named.name) as named
    from "sqlanon_linked_named_1" as named
),

kept as (
    select count(members.class_id) as persons
    from "linked_first__members" as members
)

select
    found.nameless,
    found.several,
    found.named,
    kept.persons
from found
cross join kept
where found.nameless > 0 or found.several > 0 or found.named <> kept.persons
