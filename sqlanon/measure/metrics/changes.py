"""The metrics of what transforms and sampling change, and of the ε that this proves."""

from sqlanon.pages.figures import Figure

_CHANGES = "measure/changes"

LEAST_CHANGED = 10  # records or persons: a mean of fewer, or of fewer than k, may tell of one

CHANGES_OF_VALUES = (
    Figure(
        name="changed_share",
        per="transformed column",
        measured=_CHANGES,
        direction=None,
        value="the share of records whose value a `transform` changes",
        says="this share of the records have another value than in the source; no transform "
        "carries a guarantee",
    ),
    Figure(
        name="mean_change",
        per="transformed column",
        measured=_CHANGES,
        direction=None,
        range="[0, inf)",
        value="the mean of |transformed value - value| over the records that have one; of dates in "
        "days; of numbers and dates that stay such and have no `top` or `bottom`; none where "
        "fewer than k or 10 records, or persons, are changed",
        says="a value of the column differs by this much from the source's, on average",
    ),
)

EPSILONS = (
    Figure(
        name="epsilon",
        per="transformed column",
        measured=_CHANGES,
        range="(0, inf)",
        value="the ε of a column with `laplace` or `randomized_response`, of each record: "
        "P(shown | x) ≤ e^ε · P(shown | y) for all values x and y",
        paper="Dwork & Roth 2014; Kasiviswanathan et al. 2011 (local)",
        says="the published value of this column is at most e^ε times as likely for one value as "
        "for any other; the other columns are not covered",
    ),
    Figure(
        name="epsilon_total",
        per="transformed column",
        measured=_CHANGES,
        range="(0, inf)",
        value="the sum of these ε; where persons are counted, times the most records of a person",
        paper="Dwork & Roth 2014, theorem 3.16 (composition)",
        says="the published values of all these columns are at most e^ε times as likely for one "
        "combination of values as for any other; of a record, or of a person where persons count",
    ),
)

# How private sampling makes a release, with its least k and with levels that no data chose.
_PROVED = "source/proved"
_PAPER = "Li, Qardaji and Su (2012), theorem 1; Bild, Kuhn and Prasser (2018)"

SAMPLING = (
    Figure(
        name="release_epsilon",
        per="sampled release",
        measured=_PROVED,
        range="(0, inf)",
        value="ε of `privacy.differential`: P(release | D) ≤ e^ε · P(release | E) + δ for all "
        "tables D and E that differ by a record",
        paper=_PAPER,
        says="with and without any one record the release is as likely, up to a factor of e^ε and "
        "the δ below",
    ),
    Figure(
        name="release_delta",
        per="sampled release",
        measured=_PROVED,
        value="the δ that k and the share of sampled records prove, rounded up",
        paper=_PAPER,
        says="this is the chance at most that the factor does not hold",
        unit="number",
    ),
    Figure(
        name="sampling_share",
        per="sampled release",
        measured=_PROVED,
        direction=None,
        value="β, the chance of a record to be sampled: 1 - e^-ε, rounded down, for the ε that "
        "`choose` leaves",
        paper=_PAPER,
        says="every record of the source was sampled with this chance; the others are not released",
    ),
    Figure(
        name="choice_epsilon",
        per="sampled release",
        measured=_PROVED,
        range="(0, inf)",
        value="the part of this ε for which `choose` drew the levels",
        paper="McSherry and Talwar (2007)",
        says="so much of the ε was spent on the choice of levels, and the rest on the sampling",
    ),
)
