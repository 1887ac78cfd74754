"""The same as functions: each opens a database for one call of a `Database`'s method."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from functools import wraps
from inspect import Parameter
from pathlib import Path
from typing import Any, ParamSpec, TypedDict, TypeVar, Unpack, cast

from sqlanon.api.connected import BOTH, Settings
from sqlanon.api.database import Database
from sqlanon.api.declared import Declared, Tried
from sqlanon.errors import SpecError, nearest
from sqlanon.judge.check_result import CheckResult
from sqlanon.planning.prepare import Prepared
from sqlanon.record.metrics import Metric
from sqlanon.session import Listener
from sqlanon.spec import Spec
from sqlanon.spec.foreign import said_of
from sqlanon.sql.names import Relation
from sqlanon.uses.attacks.findings import Attacked
from sqlanon.uses.certificates.certificate import Certificate
from sqlanon.uses.certificates.verify import Verified
from sqlanon.uses.comparison.comparison import Comparison
from sqlanon.uses.outlook.reachable import Reachable
from sqlanon.uses.profile.hierarchies import GROUPS, Suggested
from sqlanon.uses.profile.profile import Profile
from sqlanon.uses.profile.risk import Risks
from sqlanon.uses.release.release import Release
from sqlanon.uses.reports.nodes import Nodes
from sqlanon.uses.sweeps.sweep import Sweep
from sqlanon.uses.utilities.useful import Utility
from sqlanon.uses.utilities.utility import QUERIES

Given = ParamSpec("Given")
Found = TypeVar("Found")


class Opening(TypedDict, total=False):
    """How each function opens its database: what `sqlanon.open` takes.

    Attributes:
        database: the name of the database; by default the one that the spec names, or in memory.
        connection: a connection of yours, in its place; it stays open.
        settings: as for `open`.
        progress: as for `open`.
        show_database_errors: as for `open`.
    """

    database: str | Path | None
    connection: Any
    settings: Settings | None
    progress: Listener | bool
    show_database_errors: bool


class DeclaredHere(Declared, Opening, total=False):
    """The fields of a spec, and how the database is opened."""


class TriedHere(Tried, Opening, total=False):
    """The same for a sweep, which tries several of some."""


_OPENING = {
    "database": None,
    "connection": None,
    "settings": None,
    "progress": True,
    "show_database_errors": False,
}


def _opens(function: Callable[Given, Found]) -> Callable[Given, Found]:
    """Shows in help and notebooks by which arguments a database is opened, and refuses others."""
    *own, rest = inspect.signature(function).parameters.values()
    shown = [Parameter(name, Parameter.KEYWORD_ONLY, default=of) for name, of in _OPENING.items()]
    takes_fields = rest.name == "given"
    known = {parameter.name for parameter in (*own, *shown)}

    @wraps(function)
    def called(*arguments: Given.args, **named: Given.kwargs) -> Found:
        for name in named:
            if name not in known and not takes_fields:
                said = said_of(name) if "quasi_identifiers" in known else None
                raise TypeError(
                    f"{function.__name__}() got an unexpected argument {name!r}; "
                    f"{said or nearest(name, known)}"
                )
        return function(*arguments, **named)

    fields = [rest.replace(name="declared", annotation="Unpack[Declared]")] * takes_fields
    signature = inspect.signature(function).replace(parameters=[*own, *shown, *fields])
    called.__signature__ = signature  # type: ignore[attr-defined]
    return called


@contextmanager
def _database(opening: Opening, release: Any = None, lasting: bool = False) -> Iterator[Database]:
    """A database for one call: as it is given, or the one of a release.

    Args:
        opening: how it is opened.
        release: what the call is about.
        lasting: whether what is made closes it, unless the call fails.

    Raises:
        SpecError: if more than one is given.
    """
    database, connection = opening.get("database"), opening.get("connection")
    if isinstance(release, Release):
        if database is not None or connection is not None or opening.get("settings"):
            raise SpecError(
                "a release is given, which knows its database: leave database, connection and "
                "settings out"
            )
        connection = release.engine
    elif database is not None and connection is not None:
        raise SpecError(BOTH)
    found = Database(
        database if connection is None else connection,
        settings=opening.get("settings"),
        progress=opening.get("progress", True),
        show_database_errors=opening.get("show_database_errors", False),
    )
    found.lends = not lasting
    try:
        yield found
    except BaseException:
        found.close()
        raise
    if not lasting:
        found.close()


def _parted(given: Mapping[str, Any]) -> tuple[Opening, Declared]:
    """How a database is opened, and the fields of a spec."""
    opening = {name: value for name, value in given.items() if name in _OPENING}
    declared = {name: value for name, value in given.items() if name not in _OPENING}
    return cast(Opening, opening), cast(Declared, declared)


@_opens
def anonymize(
    source: Any,
    *,
    after: str | Sequence[str] = (),
    all_metrics: bool = True,
    **given: Unpack[DeclaredHere],
) -> Release:
    """Publish a table so that no person in it can be picked out: `Database.run`, once.

    The release holds the database open, until its ``close``.
    """
    opening, declared = _parted(given)
    with _database(opening, lasting=True) as db:
        return db.run(source, after=after, all_metrics=all_metrics, **declared)


@_opens
def plan(
    source: Any, *, after: str | Sequence[str] = (), **given: Unpack[DeclaredHere]
) -> Prepared:
    """Everything a run would do, without doing it: `Database.plan`, once."""
    opening, declared = _parted(given)
    with _database(opening) as db:
        return db.plan(source, after=after, **declared)


@_opens
def predict(source: Any, **given: Unpack[DeclaredHere]) -> list[Metric] | None:
    """Predict what the models will reach, by the frequencies alone: `Database.predict`, once."""
    opening, declared = _parted(given)
    with _database(opening) as db:
        return db.predict(source, **declared)


@_opens
def sweep(
    source: Any,
    *,
    k: Any = None,
    l: Any = None,  # noqa: E741 - as the model is called
    t: Any = None,
    methods: Any = None,
    privacy_weight: Any = None,
    quick: bool = False,
    **given: Unpack[TriedHere],
) -> Sweep:
    """Try combinations of several k, l, t and methods: `Database.sweep`, once.

    The result holds the database open, until its ``close``.
    """
    opening, declared = _parted(given)
    tried = {"k": k, "l": l, "t": t, "methods": methods, "quick": quick}
    tried["privacy_weight"] = privacy_weight
    with _database(opening, lasting=True) as db:
        return db.sweep(source, **tried, **declared)


@_opens
def why(source: Any, **given: Unpack[DeclaredHere]) -> Reachable:
    """Whether what is declared can be met, and what keeps it from that: `Database.why`, once."""
    opening, declared = _parted(given)
    with _database(opening) as db:
        return db.why(source, **declared)


@_opens
def compile(  # noqa: A001 - the word for it
    source: Any,
    *,
    dialect: str | None = None,
    all_metrics: bool = False,
    **given: Unpack[DeclaredHere],
) -> str:
    """The run as one SQL script that needs no sqlanon: `Database.compile`, once."""
    opening, declared = _parted(given)
    with _database(opening) as db:
        return db.compile(source, dialect=dialect, all_metrics=all_metrics, **declared)


@_opens
def profile(source: Any, **opening: Unpack[Opening]) -> Profile:
    """Describe a table by counts, without showing a value: `Database.profile`, once."""
    with _database(opening) as db:
        return db.profile(source)


@_opens
def hierarchy(
    source: Any, column: str, *, k: int = 10, groups: int = GROUPS, **opening: Unpack[Opening]
) -> Suggested:
    """A first hierarchy for a column, to be edited: `Database.hierarchy`, once."""
    with _database(opening) as db:
        return db.hierarchy(source, column, k=k, groups=groups)


@_opens
def risk(
    table: Any,
    *,
    quasi_identifiers: Sequence[str],
    population: Any = None,
    fraction: Any = None,
    weight: str | None = None,
    household: str | None = None,
    person: str | None = None,
    known: int | None = None,
    **opening: Unpack[Opening],
) -> Risks:
    """How many persons of a table are picked out, and by which columns: `Database.risk`, once."""
    with _database(opening) as db:
        return db.risk(
            table,
            quasi_identifiers=quasi_identifiers,
            population=population,
            fraction=fraction,
            weight=weight,
            household=household,
            person=person,
            known=known,
        )


@_opens
def check(
    table: Any,
    *,
    spec: Spec | str | Path | None = None,
    reference: Any = None,
    suppressed: str | Sequence[str] | None = None,
    **given: Unpack[DeclaredHere],
) -> CheckResult:
    """Measure privacy models on any table, of any tool: `Database.check`, once."""
    opening, declared = _parted(given)
    with _database(opening, table) as db:
        return db.check(table, spec=spec, reference=reference, suppressed=suppressed, **declared)


@_opens
def compare(
    *releases: Any,
    spec: Spec | str | Path | None = None,
    quasi_identifiers: Sequence[str] | None = None,
    sensitive: Sequence[str] | Mapping[str, Any] | None = None,
    reference: Any = None,
    attacks: bool = False,
    external: Any = None,
    utility: bool = False,
    source: Any = None,
    **opening: Unpack[Opening],
) -> Comparison:
    """Set releases side by side: `Database.compare`, once.

    Releases in hand may be of several databases.
    """
    in_hand = releases and all(isinstance(release, Release) for release in releases)
    groups = [[release] for release in releases] if in_hand else [list(releases)]
    found = Comparison(())
    for group in groups:
        with _database(opening, group[0] if in_hand else None) as db:
            found = found.beside(
                db.compare(
                    *group,
                    spec=spec,
                    quasi_identifiers=quasi_identifiers,
                    sensitive=sensitive,
                    reference=reference,
                    attacks=attacks,
                    external=external,
                    utility=utility,
                    source=source,
                )
            )
    return found


@_opens
def verify(
    certificate: Certificate | str | Path, release: str | Path, **opening: Unpack[Opening]
) -> Verified:
    """Whether a table is what a certificate is of, and has reached it: `Database.verify`, once."""
    with _database(opening) as db:
        return db.verify(certificate, release)


@_opens
def attack(
    release: Any,
    *,
    external: Any = None,
    source: Any = None,
    background: Any = None,
    on: Sequence[str] | None = None,
    keep: bool = False,
    spec: Spec | str | Path | None = None,
    quasi_identifiers: Sequence[str] | None = None,
    sensitive: Sequence[str] | Mapping[str, Any] | None = None,
    suppressed: str | Sequence[str] | None = None,
    **opening: Unpack[Opening],
) -> Attacked:
    """Attack a release as a reader of it could: `Database.attack`, once."""
    with _database(opening, release) as db:
        return db.attack(
            release,
            external=external,
            source=source,
            background=background,
            on=on,
            keep=keep,
            spec=spec,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            suppressed=suppressed,
        )


@_opens
def utility(
    release: Any,
    *,
    source: Any = None,
    spec: Spec | str | Path | None = None,
    quasi_identifiers: Sequence[str] | None = None,
    sensitive: Sequence[str] | Mapping[str, Any] | None = None,
    queries: int | str | Path | Mapping[str, Any] = QUERIES,
    seed: int = 1,
    **opening: Unpack[Opening],
) -> Utility:
    """Measure what a release is still good for, against its source: `Database.utility`, once."""
    with _database(opening, release) as db:
        return db.utility(
            release,
            source=source,
            spec=spec,
            quasi_identifiers=quasi_identifiers,
            sensitive=sensitive,
            queries=queries,
            seed=seed,
        )


@_opens
def nodes(release: Release | Relation | str, **opening: Unpack[Opening]) -> Nodes:
    """The choices of levels that a release's search judged: `Database.nodes`, once."""
    with _database(opening, release) as db:
        return db.nodes(release)


@_opens
def report(
    release: Release | Relation | str,
    file: str | Path | None = None,
    *,
    source: Any = None,
    external: bool = False,
    overwrite: bool = False,
    **opening: Unpack[Opening],
) -> Path:
    """Write what was declared for a release and reached, for people: `Database.report`, once."""
    with _database(opening, release) as db:
        return db.report(release, file, source=source, external=external, overwrite=overwrite)
