with sized as (
    select
        places.bin,
        count(*) as width,
        max(places.position) as last_position,
        cast(sum(prefixes.below) as bigint) as summed
    from "sqlanon_search_places" as places
    inner join "sqlanon_search_prefixes_s2" as prefixes
        on places.code = prefixes.code
    group by places.bin
)

select
    places.code,
    places.bin,
    sized.last_position - places.position + 1 as tail,
    sized.width,
    sized.summed
from "sqlanon_search_places" as places
inner join sized
    on places.bin = sized.bin
