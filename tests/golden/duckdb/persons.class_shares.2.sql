-- relation: class_shares
-- grain: one row per class and sensitive value that has a share of it
-- inputs: classes, class_values
-- outputs: class_id, code, position, records
-- paper: none
-- Shares of the values among the persons of a class, as whole numbers. The commonest value, of several the
-- first, has the share of the persons who have it; what is left of the persons is shared by the other values
-- as their pairs of a person and a value are. So the shares are the counts where everybody has one value,
-- but for a factor, and a value that all of the persons have leaves nothing for any other.
with ranked as (
    select
        class_values.class_id,
        class_values.code,
        class_values.position,
        class_values.records,
        row_number() over (
            partition by class_values.class_id
            order by class_values.records desc, class_values.code asc
        ) as place,
        max(class_values.records) over (partition by class_values.class_id) as most,
        cast(sum(class_values.records) over (partition by class_values.class_id) as bigint) as pairs
    from "sqlanon_merge_values_s1" as class_values
)

select
    ranked.class_id,
    ranked.code,
    ranked.position,
    case
        when ranked.place > 1 then (classes.records - ranked.most) * ranked.records
        when ranked.pairs > ranked.most then ranked.most * (ranked.pairs - ranked.most)
        else ranked.most
    end as records
from ranked
inner join "sqlanon_merge_sizes" as classes
    on ranked.class_id = classes.class_id
where ranked.place = 1 or classes.records > ranked.most
