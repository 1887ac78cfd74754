"""The metrics of what sampling a release proves, with its least k and levels no data chose."""

from sqlanon.figures import Figure

_PROVED = "source/proved"
_PAPER = "Li, Qardaji and Su (2012), theorem 1; Bild, Kuhn and Prasser (2018)"

SAMPLING = (
    Figure(
        name="release_epsilon",
        per="sampled release",
        measured=_PROVED,
        direction="lower",
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
        direction="lower",
        range="[0, 1]",
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
        range="[0, 1]",
        value="β, the chance of a record to be sampled: 1 - e^-ε, rounded down",
        paper=_PAPER,
        says="every record of the source was sampled with this chance; the others are not released",
    ),
)
