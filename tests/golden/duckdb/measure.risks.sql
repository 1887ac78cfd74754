-- relation: risks
-- grain: one row
-- inputs: classes, persons?
-- outputs: prosecutor_risk, marketer_risk
-- paper: El Emam & Dankar 2008 (prosecutor); Dankar & El Emam 2010, f / F with the release as the whole (marketer)
-- How likely a guess is right among the persons of a class: at its worst, and over all records. Where no
-- persons are counted, each record is one.
with guesses as (
    select
        classes.records,
        cast(classes.records as double) as persons
    from "sqlanon_classes" as classes
)

select
    round(max(1 / guesses.persons), 9) as prosecutor_risk,
    round(sum(guesses.records / guesses.persons) / sum(guesses.records), 9) as marketer_risk
from guesses
