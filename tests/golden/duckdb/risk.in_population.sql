-- relation: in_population
-- grain: one row
-- inputs: tuples, population
-- outputs: known, least, guesses
-- paper: El Emam & Dankar 2008 (journalist); Dankar & El Emam 2010 (marketer)
-- How many records have a combination that the population has, the fewest persons who share one of these
-- combinations, and how many guesses at the persons of all records are right on average.
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
