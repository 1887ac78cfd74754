select
    cast(coalesce(sum(tuples.records), 0) as bigint) as known,
    min(population.records) as least,
    round(coalesce(sum(cast(tuples.records as double) / population.records), 0), 9) as guesses
from "sqlanon_tuples" as tuples
inner join "sqlanon_population" as population
    on
        tuples.q1 is not distinct from population.q1
        and tuples.q2 is not distinct from population.q2
        and tuples.q3 is not distinct from population.q3
