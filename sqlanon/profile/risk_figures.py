"""What the figures of a table's risk are: the only list of them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Needs = Literal["nothing", "population", "fraction", "weight", "household"]
_HUNDEPOOL = "Hundepool et al. (2012), §3.3"
_DANKAR, _SUDA = "Dankar and El Emam (2010)", "Elliot et al. (2002); Manning et al. (2008)"


@dataclass(frozen=True)
class RiskFigure:
    """A figure of how identifying the quasi-identifiers of a table are.

    Attributes:
        name: its name.
        needs: what must be known beside the table.
        range: between what it lies; n is the number of records, N of the population.
        value: what it is, as a formula; f_j and F_j are the records and persons of combination j.
        paper: where it comes from.
        says: what its value means, in a sentence for a privacy officer.
    """

    name: str
    needs: Needs
    range: str
    value: str
    paper: str
    says: str


RISKS_OF_TABLES = (
    RiskFigure(
        "records", "nothing", "[1, n]", "n", "none", "the table has this many records"
    ),
    RiskFigure(
        "combinations", "nothing", "[1, n]", "the number of j with f_j > 0", "none",
        "the quasi-identifiers have this many different combinations of values",
    ),
    RiskFigure(
        "unique_records", "nothing", "[0, n]", "the number of j with f_j = 1", "none",
        "this many records share their combination with no other",
    ),
    RiskFigure(
        "unique_share", "nothing", "[0, 1]", "`unique_records` / n", "none",
        "this share of the records share their combination with no other",
    ),
    RiskFigure(
        "prosecutor_risk", "nothing", "[0, 1]", "max 1 / f_j", "El Emam and Dankar (2008)",
        "a person who is known to be in the table is picked out with at most this chance",
    ),
    RiskFigure(
        "marketer_risk", "nothing", "[0, 1]", "combinations / n", _DANKAR,
        "guesses at the person of every record are right for this share of them on average, if "
        "all who are asked about are in the table",
    ),
    RiskFigure(
        "special_unique_share", "nothing", "[0, 1]",
        "the share of records that are alone with M columns or fewer, and fewer than all", _SUDA,
        "this share of the records are alone already with a few of the columns",
    ),
    RiskFigure(
        "greatest_score", "nothing", "[0, inf)",
        "max Σ over a record's minimal sample uniques of Π (ATT - i), i from their size to M",
        _SUDA,
        "the record that stands out most has this score; what counts is how it compares with the "
        "mean: the fewer columns single a record out, and in the more ways, the greater",
    ),
    RiskFigure(
        "mean_score", "nothing", "[0, inf)", "the mean of the scores over all records", _SUDA,
        "a record has this score on average",
    ),
    RiskFigure(
        "journalist_risk", "population", "[0, 1]", "max 1 / F_j over j with f_j > 0",
        "El Emam and Dankar (2008)",
        "a person of the population is picked out with at most this chance by somebody who does "
        "not know who is in the table",
    ),
    RiskFigure(
        "population_marketer_risk", "population", "[0, 1]", "Σ f_j / F_j / n", _DANKAR,
        "guesses at the person of every record, by a list of the population, are right for this "
        "share of them on average",
    ),
    RiskFigure(
        "in_population_share", "population", "[0, 1]", "the share of records with F_j > 0", "none",
        "this share of the records have a combination that the population has; fewer than all mean "
        "that the population is incomplete or written otherwise",
    ),
    RiskFigure(
        "population_uniques", "fraction", "[0, N]",
        "N (1 + N b)^-(1 + a), b = (v K / n - 1) / n, a = 1 / (K b): Poisson-gamma, fitted by "
        "moments to the K combinations that the values allow; v is the variance of f",
        "Bethlehem et al. (1990)",
        "about this many persons of the population are the only ones with their combination",
    ),
    RiskFigure(
        "unique_match_risk", "fraction", "[0, 1]",
        "p u / (p u + 2 (1 - p) d); u, d: combinations of one and of two records; p the fraction",
        "Skinner and Elliot (2002)",
        "if a person of the population fits one record and no other, the match is right with about "
        "this chance",
    ),
    RiskFigure(
        "estimated_persons", "weight", "[0, inf)", "Σ w", "none",
        "the records stand for this many persons of the population",
    ),
    RiskFigure(
        "individual_risk", "weight", "[0, 1]",
        "max E(1 / F_j), F_j negative binomial: the f_j-th success at chance f_j / Σ w over j",
        f"Benedetti and Franconi (1998); {_HUNDEPOOL}",
        "a person of the population is picked out with at most about this chance by somebody who "
        "does not know who is in the table",
    ),
    RiskFigure(
        "weighted_marketer_risk", "weight", "[0, 1]", "the mean over the records of E(1 / F_j)",
        f"Benedetti and Franconi (1998); {_HUNDEPOOL}",
        "guesses at the person of every record, by a list of the population, are right for about "
        "this share of them on average",
    ),
    RiskFigure(
        "unique_in_population", "weight", "[0, n]", "Σ 1 / Σ w over j with f_j = 1",
        f"Benedetti and Franconi (1998); {_HUNDEPOOL}",
        "about this many of the records that share their combination with no other record share "
        "it with no other person of the population either",
    ),
    RiskFigure(
        "household_risk", "household", "[0, 1]",
        "max over the households of 1 - Π (1 - 1 / f_j) over the members",
        f"{_HUNDEPOOL}; Templ et al. (2015)",
        "somebody of a household is picked out with at most this chance, and with them all others "
        "of it",
    ),
    RiskFigure(
        "household_marketer_risk", "household", "[0, 1]",
        "the mean over the records of the same of their household",
        f"{_HUNDEPOOL}; Templ et al. (2015)",
        "this share of the records lie in households of which somebody is picked out, on average",
    ),
)  # fmt: skip
RISK_OF = {one.name: one for one in RISKS_OF_TABLES}
