"""The figures of a table's risk: the only list of them.

In their formulas f_j and F_j are the records of the table and the persons of the population that
have the combination j of the quasi-identifiers' values.
"""

from __future__ import annotations

from dataclasses import replace
from functools import partial

from sqlanon.pages.figures import MARKETER_RISK, PROSECUTOR_RISK, RECORDS, UNIQUE_SHARE, Figure

_FREQUENCIES = "risk/frequencies"
_HUNDEPOOL, _EL_EMAM = "Hundepool et al. (2012), §3.3", "El Emam and Dankar (2008)"
_DANKAR, _SUDA = "Dankar and El Emam (2010)", "Elliot et al. (2002); Manning et al. (2008)"
_BENEDETTI, _TEMPL = (
    f"Benedetti and Franconi (1998); {_HUNDEPOOL}",
    f"{_HUNDEPOOL}; Templ et al. (2015)",
)

_TERROVITIS = "Terrovitis, Mamoulis and Kalnis (2008), definition 1"

_of_table = partial(Figure, per="table")

RISKS_OF_TABLES = (
    replace(
        RECORDS,
        per="table",
        measured=_FREQUENCIES,
        range="[1, n]",
        says="the table has this many records",
    ),
    _of_table(
        name="combinations",
        measured=_FREQUENCIES,
        direction=None,
        range="[1, n]",
        value="the number of j with f_j > 0",
        says="the quasi-identifiers have this many different combinations of values",
    ),
    _of_table(
        name="unique_records",
        measured=_FREQUENCIES,
        range="[0, n]",
        value="the number of j with f_j = 1",
        says="this many records share their combination with no other",
    ),
    replace(
        UNIQUE_SHARE,
        per="table",
        measured=_FREQUENCIES,
        says="this share of the records share their combination with no other",
    ),
    replace(
        PROSECUTOR_RISK,
        per="table",
        measured=_FREQUENCIES,
        value="max 1 / f_j",
        says="a person who is known to be in the table is picked out with at most this chance",
    ),
    replace(
        MARKETER_RISK,
        per="table",
        measured=_FREQUENCIES,
        value="combinations / n",
        says="guesses at the person of every record are right for this share of them on average, "
        "if all who are asked about are in the table",
    ),
    _of_table(
        name="special_unique_share",
        measured="risk/few",
        value="the share of records that are alone with M columns or fewer, and fewer than all",
        paper=_SUDA,
        says="this share of the records are alone already with a few of the columns",
    ),
    _of_table(
        name="greatest_score",
        measured="risk/scores",
        range="[0, inf)",
        value="max Σ over a record's minimal sample uniques of Π (ATT - i), i from their size to M",
        paper=_SUDA,
        says="the record that stands out most has this score. Compare it with the mean: the fewer "
        "columns single a record out, and in the more ways, the greater",
    ),
    _of_table(
        name="mean_score",
        measured="risk/scores",
        range="[0, inf)",
        value="the mean of the scores over all records",
        paper=_SUDA,
        says="a record has this score on average",
    ),
    _of_table(
        name="journalist_risk",
        measured="risk/in_population",
        value="max 1 / F_j over j with f_j > 0",
        paper=_EL_EMAM,
        says="a person of the population is picked out with at most this chance by somebody who "
        "does not know who is in the table",
        needs="population",
    ),
    _of_table(
        name="population_marketer_risk",
        measured="risk/in_population",
        value="Σ f_j / F_j / n",
        paper=_DANKAR,
        says="guesses at the person of every record, by a list of the population, are right for "
        "this share of them on average",
        needs="population",
    ),
    _of_table(
        name="in_population_share",
        measured="risk/in_population",
        direction=None,
        value="the share of records with F_j > 0",
        says="this share of the records have a combination that the population has; fewer than all"
        " mean that the population is incomplete or written otherwise",
        needs="population",
    ),
    _of_table(
        name="population_uniques",
        measured=_FREQUENCIES,
        range="[0, N]",
        value="N (1 + N b)^-(1 + a), b = (v K / n - 1) / n, a = 1 / (K b): Poisson-gamma, fitted by"
        " moments to the K combinations that the values allow; v is the variance of f",
        paper="Bethlehem et al. (1990)",
        says="about this many persons of the population are the only ones with their combination",
        needs="fraction",
        unit="count",
    ),
    _of_table(
        name="unique_match_risk",
        measured=_FREQUENCIES,
        value="p u / (p u + 2 (1 - p) d); u, d: combinations of one and of two records; p the "
        "fraction",
        paper="Skinner and Elliot (2002)",
        says="if a person of the population fits one record and no other, the match is right with "
        "about this chance",
        needs="fraction",
    ),
    _of_table(
        name="estimated_persons",
        measured="risk/weighted",
        direction=None,
        range="[0, inf)",
        value="Σ w",
        says="the records stand for this many persons of the population",
        needs="weight",
    ),
    _of_table(
        name="individual_risk",
        measured="risk/weighted",
        value="max E(1 / F_j), F_j negative binomial: the f_j-th success at chance f_j / Σ w "
        "over j",
        paper=_BENEDETTI,
        says="a person of the population is picked out with at most about this chance by somebody "
        "who does not know who is in the table",
        needs="weight",
    ),
    _of_table(
        name="weighted_marketer_risk",
        measured="risk/weighted",
        value="the mean over the records of E(1 / F_j)",
        paper=_BENEDETTI,
        says="guesses at the person of every record, by a list of the population, are right for "
        "about this share of them on average",
        needs="weight",
    ),
    _of_table(
        name="unique_in_population",
        measured="risk/weighted",
        range="[0, n]",
        value="Σ 1 / Σ w over j with f_j = 1",
        paper=_BENEDETTI,
        says="about this many of the records that share their combination with no other record "
        "share it with no other person of the population either",
        needs="weight",
        unit="count",
    ),
    _of_table(
        name="household_risk",
        measured="risk/households",
        value="max over the households of 1 - Π (1 - 1 / f_j) over the members",
        paper=_TEMPL,
        says="somebody of a household is picked out with at most this chance, and with them all "
        "others of it",
        needs="household",
    ),
    _of_table(
        name="household_marketer_risk",
        measured="risk/households",
        value="the mean over the records of the same of their household",
        paper=_TEMPL,
        says="this share of the records lie in households of which somebody is picked out, on "
        "average",
        needs="household",
    ),
    _of_table(
        name="items_k",
        measured="risk/known_items",
        direction="higher",
        range="[1, n]",
        value="the greatest k with k^m-anonymity: the least number of persons who have some m "
        "items, or fewer, that one person has",
        paper=_TERROVITIS,
        says="a reader who knows so many items of a person is left with this many persons at least",
        needs="person",
    ),
    _of_table(
        name="items_unique_share",
        measured="risk/known_items",
        value="the share of persons with some m items, or fewer, that nobody else has all of",
        paper=_TERROVITIS,
        says="this share of the persons are picked out by so few of their items",
        needs="person",
    ),
)
RISK_OF = {figure.name: figure for figure in RISKS_OF_TABLES}
