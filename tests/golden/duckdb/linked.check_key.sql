-- relation: check_key
-- grain: one row if persons have other pseudonyms here than in an earlier release
-- inputs: records, members, named
-- outputs: persons
-- paper: none
-- Whoever is in both must have one pseudonym, found in the class where the person is, and whoever is not
-- must have none of the earlier ones: no two keys come to that.
with here as (
    select
        records.w1,
        records.x1 as name
    from "sqlanon_records" as records
    group by
        records.w1,
        records.x1
),

pairs as (
    select
        members.class_id as kept_class,
        named.class_id as found_class,
        count(*) as persons
    from here
    left join "linked_first__members" as members
        on
            here.w1 = members."patient_id"
    left join "sqlanon_linked_named_1" as named
        on here.name = named.name
    where members.class_id is not null or named.class_id is not null
    group by members.class_id, named.class_id
),

counted as (
    select
        pairs.kept_class,
        pairs.found_class,
        pairs.persons,
        count(pairs.found_class) over (partition by pairs.kept_class) as found_classes,
        count(pairs.kept_class) over (partition by pairs.found_class) as kept_classes
    from pairs
)

select cast(sum(counted.persons) as bigint) as persons
from counted
where
    counted.kept_class is null
    or counted.found_class is null
    or counted.found_classes > 1
    or counted.kept_classes > 1
having count(*) > 0
