"""The hash of every published relation, kept at the commit, which binds a release to its run.

A run keeps sums of the rows' hashes, which cost a pass over the table. They find what was changed;
they do not withstand a forger, who could as well change what the run keeps. A script and a
certificate keep the SHA-256 over all rows, which does.

A command first holds all that it reads of a release to the hash. So it describes, uses and hands
out no other release than the one that was measured.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sqlanon.engines import Engine
from sqlanon.errors import Problem, SpecError
from sqlanon.plan import Step, work
from sqlanon.publish.publication import Publication
from sqlanon.record.ownership import Ownership
from sqlanon.record.recorded import Recorded, recorded
from sqlanon.session import Session
from sqlanon.source.source import table_named
from sqlanon.spec import Source
from sqlanon.sql.names import Relation, Sql, identifier

LIVE = "live"  # the item of a run whose release is a view of the source, and changes with it
_ITEM = "content"  # of the run relation; of another relation the end of its name follows
_ALL, _SUMS = "certificate/content", "certificate/sums"
_AGAIN = "run its spec again, and hand out what it makes"


def content_steps(
    publication: Publication, kept: Mapping[Relation, Sequence[str]] | None = None, *, run: bool
) -> dict[str, Step]:
    """The steps that hash what readers are given, by the item of the run relation.

    Args:
        publication: what is published, which has been written.
        kept: the columns of what clauses keep for the publisher, which is hashed too.
        run: whether a run hashes it, which keeps sums; a script keeps the hash over all rows.
    """
    template = _SUMS if run else _ALL
    found = {}
    for number, published_relation in enumerate(publication.for_readers, 1):
        names, output = (
            [column.name for column in published_relation.columns],
            work("content_of_", number),
        )
        found[_item(publication.beside(published_relation.relation))] = content_step(
            published_relation.relation, names, output, template
        )
    for relation, columns in (kept or {}).items():
        beside = publication.beside(relation)
        output = work("content_of_", beside)
        found[_item(beside)] = content_step(relation, columns, output, template)
    return found


def content_step(
    relation: Relation, columns: Sequence[str], output: Relation, template: str = _ALL
) -> Step:
    """The step that hashes a relation: how many rows it has, and their hash."""
    params = {"columns": list(columns)}
    return Step(f"the content of {relation}", output, template, {"released": relation}, params)


def content_of(item: Relation | Sql, columns: list[str], engine: Engine) -> tuple[int, str]:
    """How many records a published relation has, and the hash of them in any order."""
    return _found(_ALL, item, columns, engine)


def _found(
    template: str, item: Relation | Sql, columns: list[str], engine: Engine
) -> tuple[int, str]:
    found = Session(engine).fetch(template, {"released": item}, {"columns": columns}, 1)
    records, content = found.rows[0]
    return int(records), str(content)


def _now(said: str, relation: Relation, columns: list[str], engine: Engine) -> tuple[int, str]:
    """The records and the content of a relation now, to be compared with what is said of it."""
    template = _SUMS if "-" in said else _ALL  # between two sums
    records, content = _found(template, relation, columns, engine)
    return records, f"{records} {content}"


def hashed_records(release: Recorded) -> int | None:
    """How many records a release had when its run or its script hashed it; None of a live view."""
    said = release.facts.get(_ITEM)
    return None if said is None else int(said.partition(" ")[0])


def held(release: str | Relation, engine: Engine) -> Recorded:
    """The release of a name, as its run left it.

    Raises:
        SpecError: if there is none, it is no release that a run recorded, or it was changed since.
    """
    found = recorded(release, engine)
    hold(found)
    return found


def hold_table(table: Source, engine: Engine) -> None:
    """Refuse a table that is a release of a run, and not what the run left; others pass.

    So does a release whose run this connection may not read: it is a reader's.

    Raises:
        SpecError: if it is.
    """
    if table.table is None:
        return
    relation = table_named(table.table, "table")
    run = relation.sibling("run")
    if engine.kind_of(relation) is None or engine.kind_of(run) is None:
        return
    if not engine.lacking_to_read(run) and Ownership(engine, [relation]).holds():
        held(relation, engine)


def hold(release: Recorded) -> None:
    """Refuse a release that is not what its run left.

    One that is a view of its source changes with that, but shows no group of fewer than k.

    Raises:
        SpecError: if a relation or a column of it is gone, it was changed, or its run kept no hash.
    """
    for beside, columns in release.relations.items():
        relation = release.named(beside)
        said = release.facts.get(_item(beside))
        if said is None and LIVE not in release.facts:
            what = (
                f"an older sqlanon, {release.facts.get('sqlanon')}, made {str(release.relation)!r} "
                f"and kept nothing that tells whether it was changed since: {_AGAIN}"
            )
            raise SpecError(Problem("release", what))
        if release.engine.kind_of(relation) is None:
            raise SpecError(Problem("release", f"{str(relation)!r} is gone: run its spec again"))
        release.columns_there(relation)
        if said is None:
            _hold_live(release, relation)
            continue
        names = [column.name for column in columns]
        records, now = _now(said, relation, names, release.engine)
        if now != said:
            what = f"{str(relation)!r} was changed since its run: {_differs(said, records)}"
            raise SpecError(Problem("release", f"{what}; {_AGAIN}"))


def _hold_live(release: Recorded, relation: Relation) -> None:
    """Refuse a live view that shows a group of fewer than k: its query is not the run's any more.

    Raises:
        SpecError: if it does.
    """
    names = (
        identifier(column.name) for column in release.columns if column.role == "quasi_identifier"
    )
    groups = f"select count(*) as records from {release.engine.named(relation)} group by "
    least = release.engine.fetch_portable(
        f"select min(alike.records) as least from ({groups}{', '.join(names)}) as alike"
    ).rows[0][0]
    if least is not None and int(least) < int(release.spec["privacy"]["k"]):
        what = f"{str(relation)!r} shows a group of fewer than k records: run its spec again"
        raise SpecError(Problem("release", what))


def hold_kept(release: Recorded, beside: str, columns: Sequence[str]) -> Relation:
    """A relation that a run keeps next to a release, if it is as the run left it.

    Args:
        release: the release.
        beside: how the name of the relation ends.
        columns: its columns.

    Raises:
        SpecError: if it is gone, or was changed.
        EngineError: if the database fails, or this connection may not read it.
    """
    relation = release.named(beside)
    if release.engine.kind_of(relation) is None:
        raise SpecError(Problem("release", f"{str(relation)!r} is gone: run its spec again"))
    said = release.facts.get(_item(beside), "")
    if _now(said, relation, list(columns), release.engine)[1] != said:
        what = f"{str(relation)!r} was changed since its run: run its spec again"
        raise SpecError(Problem("release", what))
    return relation


def _item(beside: str) -> str:
    return f"{_ITEM}__{beside}" if beside else _ITEM


def _differs(said: str, records: int) -> str:
    """The known difference of a relation from what its run left: nothing of its cells."""
    counted = said.partition(" ")[0]
    if not counted.isdecimal():
        return "its run kept no such hash"
    before = int(counted)
    if records == before:
        return f"it has {records:,} records as before, and not all of them are the same"
    more = "more" if records > before else "fewer"
    return f"it has {records:,} records, {abs(records - before):,} {more} than its run left"
