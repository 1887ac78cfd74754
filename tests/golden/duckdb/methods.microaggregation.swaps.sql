with located as (
    select
        shares.class_id,
        cells.s1 as code,
        shares.cell_id,
        (places.x1 - centroids.x1) * (places.x1 - centroids.x1)
        + (places.x2 - centroids.x2) * (places.x2 - centroids.x2)
            as apart
    from "sqlanon_micro_shares_0" as shares
    inner join "sqlanon_cells" as cells
        on shares.cell_id = cells.cell_id
    inner join "sqlanon_places" as places
        on shares.cell_id = places.cell_id
    inner join "sqlanon_micro_centroids" as centroids
        on shares.class_id = centroids.class_id
),

outermost as (
    select
        located.class_id,
        located.code,
        located.cell_id,
        row_number() over (
            partition by located.class_id, located.code order by located.apart desc, located.cell_id desc
        ) as rank
    from located
),

traded as (
    select
        outermost.class_id,
        outermost.code,
        outermost.cell_id,
        changes.position,
        changes.lower,
        changes.higher
    from outermost
    inner join "sqlanon_micro_changes" as changes
        on outermost.class_id = changes.class_id and outermost.code = changes.code
    where outermost.rank = 1
),

weighed as (
    select
        near.class_id,
        near.into_class,
        near.apart,
        given.cell_id as out_cell,
        taken.cell_id as in_cell,
        given.code as out_code,
        taken.code as in_code,
        given.lower + own.higher as own_change,
        taken.lower + others.higher as other_change
    from "sqlanon_micro_near" as near
    inner join traded as given
        on near.class_id = given.class_id
    inner join traded as taken
        on near.into_class = taken.class_id and given.code <> taken.code
    inner join "sqlanon_micro_changes" as own
        on near.class_id = own.class_id and taken.code = own.code
    inner join "sqlanon_micro_changes" as others
        on near.into_class = others.class_id and given.code = others.code
),

ranked as (
    select
        weighed.class_id,
        weighed.into_class,
        weighed.apart,
        weighed.out_cell,
        weighed.in_cell,
        row_number() over (
            partition by weighed.class_id
            order by weighed.own_change, weighed.apart, weighed.into_class, weighed.out_code, weighed.in_code
        ) as rank
    from weighed
    inner join "sqlanon_measured_t_closeness_s1" as measured
        on weighed.into_class = measured.class_id
    where
        weighed.own_change < 0
        and (
            weighed.other_change <= 0
            or (measured.amount + weighed.other_change) * 5 <= measured.scale * 1
        )
),

wished as (
    select
        ranked.class_id,
        ranked.into_class,
        ranked.apart,
        ranked.out_cell,
        ranked.in_cell
    from ranked
    where ranked.rank = 1
),

touched as (
    select
        wished.class_id as touched_class,
        wished.apart,
        wished.class_id
    from wished
    union all
    select
        wished.into_class as touched_class,
        wished.apart,
        wished.class_id
    from wished
),

first_wishes as (
    select
        touched.touched_class,
        touched.class_id,
        row_number() over (
            partition by touched.touched_class order by touched.apart, touched.class_id
        ) as rank
    from touched
)

select
    wished.class_id,
    wished.into_class,
    wished.out_cell,
    wished.in_cell
from wished
inner join first_wishes as own
    on wished.class_id = own.touched_class and wished.class_id = own.class_id and own.rank = 1
inner join first_wishes as taking
    on wished.into_class = taking.touched_class and wished.class_id = taking.class_id and taking.rank = 1
