"""A release against its source: risk before and after, and utility, as sections of its report."""

from __future__ import annotations

from collections.abc import Sequence

from sqlanon.errors import InfeasibleError, SqlanonError
from sqlanon.pages.figures import Finding
from sqlanon.pages.page import Section, Share, Table, number
from sqlanon.record.recorded import Recorded
from sqlanon.spec import Frame, Source
from sqlanon.spec.publication import RULES
from sqlanon.sql.names import Sql
from sqlanon.uses.attacks.as_published import of_release
from sqlanon.uses.profile.risk import MOST_COLUMNS, risk_of
from sqlanon.uses.utilities.useful import Bin
from sqlanon.uses.utilities.utility import utility

_SHUFFLED = (
    "The values of slices are shuffled, so that a row is nobody's record: what singles a row out "
    "says nothing of a person."
)
_NO_COLUMNS = "No quasi-identifier is published, or too many to be looked at."
_RISK = (
    "How far the quasi-identifiers single records out, a published cell being a value like others: "
    "what sqlanon risk counts. The source's own figures stand next to them."
)
_UTILITY = (
    "The release compared with its source, as sqlanon utility does; it says of every figure how. A "
    "cell of several values is read as spread evenly over them, unless only cells of one count."
)
_OF_READERS = (
    "Figures of quasi-identifiers alone. The figures of sensitive values stay with the publisher."
)


def sections_beside(
    recorded: Recorded, source: Source, external: bool, item: Sql | None = None
) -> tuple[Section, ...]:
    """A report's sections on a release against its source; those for others leave its risk out.

    Args:
        recorded: the release.
        source: what it was made of.
        external: whether it is for others.
        item: the FROM item of the source, if it has no name.

    Raises:
        SpecError: if the source does not fit the release.
    """
    useful = _utility_section(recorded, source, external, item)
    return (useful,) if external else (_risk_section(recorded, source, item), useful)


def _risk_section(recorded: Recorded, source: Source, item: Sql | None) -> Section:
    """The section of the columns that single records out, before and after."""
    name, title = "risk", "Risk of single records"
    columns = [
        column.name for column in recorded.relations[""] if column.role == "quasi_identifier"
    ]
    asked = list(recorded.spec["quasi_identifiers"])
    if RULES[recorded.publication].mixes:
        return Section(name, title, (_SHUFFLED,))
    if not 0 < len(columns) <= MOST_COLUMNS or not 0 < len(asked) <= MOST_COLUMNS:
        return Section(name, title, (_NO_COLUMNS,))
    engine = recorded.engine
    before = risk_of(source, asked, engine, item)
    after = risk_of(Frame(), columns, engine, engine.named(recorded.relation))
    rows = tuple(
        (
            finding.figure.replace("_", " "),
            number(before.value(finding.figure)),
            number(finding.value),
            finding.range,
            finding.sentence,
        )
        for finding in after.figures
    )
    head = ("figure", "source", "release", "lies in", "what it means")
    table = Table("What singles records out", head, rows, frozenset({1, 2}), frozenset({3}))
    return Section(name, title, (_RISK,), (table,))


def _utility_section(
    recorded: Recorded, source: Source, external: bool, item: Sql | None
) -> Section:
    """The section of the release's utility; for others, that of its quasi-identifiers alone.

    Raises:
        SpecError: if the source does not fit the release.
    """
    try:
        found = utility(of_release(recorded), recorded.engine, source, item)
    except InfeasibleError as error:
        return Section("utility", "Utility", (_sentence(error),))
    known = {column.name for column in recorded.relations[""] if column.role == "quasi_identifier"}
    known |= set(recorded.spec["quasi_identifiers"])
    shown = [
        finding
        for finding in found.findings
        if not external or (finding.of and {*finding.of} <= known)
    ]
    notes = () if external else tuple(f"{name}: {why}." for name, why in found.notes.items())
    asked = f"{found.queries:,} COUNT queries were drawn from the seed {found.seed}."
    words = (_UTILITY, *((_OF_READERS,) if external else (asked,)), *notes)
    tables: tuple[Table, ...] = (_useful(shown),) if shown else ()
    if not external:  # the ends of bins are values of the source
        tables += tuple(
            _marginal(name, found.marginals[name]) for name in recorded.spec["quasi_identifiers"]
        )
    return Section("utility", "Utility", words, tables)


def _marginal(column: str, bins: Sequence[Bin]) -> Table:
    """How a column's values are distributed in the source, and in the release as it is read."""
    rows = tuple(
        (
            _label(group),
            f"{group.source:.1%}",
            Share(group.source),
            f"{group.released:.1%}",
            Share(group.released),
        )
        for group in bins
    )
    head = ("value", "source", "of all", "release", "of all")
    return Table(f"{column}: source and release", head, rows, frozenset({1, 3}))


def _label(group: Bin) -> str:
    if group.starts == group.ends:
        return "NULL" if group.starts is None else group.starts
    return f"{'NULL' if group.starts is None else group.starts} to {group.ends}"


def _useful(findings: Sequence[Finding]) -> Table:
    rows = tuple(
        (
            finding.figure.replace("_", " "),
            " and ".join(finding.of) or "the release",
            number(finding.value),
            finding.direction or "",
            finding.range,
            finding.read,
            finding.sentence,
        )
        for finding in findings
    )
    head = ("figure", "of", "value", "better", "lies in", "how it is read", "what it means")
    minor = frozenset({3, 4, 5})
    return Table("What it is still good for", head, rows, frozenset({2}), minor)


def _sentence(error: SqlanonError) -> str:
    text = str(error)
    return f"{text[0].upper()}{text[1:]}."
