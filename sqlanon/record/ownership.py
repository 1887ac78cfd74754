"""Whose a relation is: a release replaces what a release wrote, and nothing else.

Every relation of a release has a comment with the release's number, drawn at random. The run
relation holds the same number, and the names of all that was written. Only what has all of this is
replaced.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from secrets import token_hex
from typing import ClassVar

from sqlanon.clauses import clauses
from sqlanon.engines import Engine
from sqlanon.errors import ConflictError, EngineError, OutcomeUnknownError, Problem, SpecError
from sqlanon.plan import Materialization, Step
from sqlanon.publish import PUBLICATIONS
from sqlanon.session import Session
from sqlanon.spec import Spec
from sqlanon.sql.names import Relation, literal, quoted

ID, RELATIONS = "release_id", "relations"  # items of the run relation
ATTACKS = ("attacked", "linked")  # what an attack keeps next to a release
_PROOF = ("classes", "metrics", "run")
NODES = "nodes"  # what a search over levels keeps of those that it judged


def written(published: Iterable[Relation], kept: Iterable[str] = ()) -> tuple[Relation, ...]:
    """The relations of a release: itself first, then those that stand next to it.

    Args:
        published: the relations of its publication, the release first.
        kept: how the names end of what it keeps for later releases.
    """
    release, *others = published
    return (release, *map(release.sibling, (*_PROOF, *kept)), *others)


def reserved(release: Relation) -> tuple[Relation, ...]:
    """The relations that a release of this name may write, or drop where an older one has them."""
    found = [
        relation
        for publisher in PUBLICATIONS.values()
        for how in (Materialization.TABLE, Materialization.VIEW)
        for relation in written(publisher.names(release, how, suppresses=True))
    ]
    kept = (*(name for clause in clauses() for name in clause.keeps), NODES)
    return tuple(dict.fromkeys([*found, *map(release.sibling, kept)]))


def kept_names(spec: Spec) -> tuple[str, ...]:
    """How the names end of what a release keeps for the publisher because of its clauses."""
    kept = ((name, keeps) for clause in clauses() for name, keeps in clause.keeps.items())
    return tuple(name for name, keeps in kept if keeps(spec))


def mark(number: str, what: str = "release") -> str:
    """The comment on every relation of a release."""
    return f"sqlanon {what} {number}"


def facts(number: str, relations: Sequence[Relation]) -> list[tuple[str, str]]:
    """The facts of the run relation that say whose the release is."""
    names = [relation.name for relation in relations]
    return [(ID, number), (RELATIONS, json.dumps(names, ensure_ascii=False))]


_MEANWHILE = (
    "another run, or somebody else, made {} or a relation that comes with it while the run was "
    "under way, and what they made stays; this run published nothing: run again, or choose another "
    "name"
)


@dataclass
class Ownership:
    """Answers for the relations that one run publishes.

    Attributes:
        engine: where they are published.
        relations: all that is written; the release first.
        number: by which the release is known.
        readers: those that readers are given; the others are the publisher's alone.
        replacing: looks at the older release once nobody else may replace it, and may refuse.
    """

    what: ClassVar[str] = "release"
    engine: Engine
    relations: Sequence[Relation]
    number: str = field(default_factory=lambda: token_hex(16))
    readers: Sequence[Relation] = ()
    replacing: Callable[[], None] = lambda: None
    _older: list[Relation] | None = None

    @contextmanager
    def transaction(self, session: Session) -> Iterator[None]:
        """Publish all that the block makes at once, or nothing.

        Raises:
            SpecError: if the database does not let this connection write it, which is asked before
                the work; if somebody else makes a relation of the same name meanwhile.
            EngineError: also if the commit fails and nobody can say whether it was carried out.
        """
        _refuse(self.engine.lacking_to_write(self.relations))
        first = self.engine.qualified(self.relations[0])
        ours = mark(self.number, self.what)
        try:
            with session.transaction(published=lambda: self.engine.comment_of(first) == ours):
                yield
                if self._older is not None:
                    withheld = [
                        relation for relation in self.relations if relation not in self.readers
                    ]
                    self.engine.settle_rights(withheld)
        except OutcomeUnknownError as error:
            raise EngineError(
                f"{error}. Whether the {self.what} was published is not known, because the "
                f"database cannot be asked: it was, if the comment on {first} is {ours!r}"
            ) from None
        except ConflictError:
            what = _MEANWHILE.format(self.relations[0])
            raise SpecError(Problem("release", what)) from None

    @contextmanager
    def publishing(self, step: Step) -> Iterator[None]:
        """Look again, inside the transaction, before anything is replaced; mark each relation."""
        if self._older is None:
            with self.engine.listing_once():
                self._older = self.older(hold=True)
            self.replacing()
            self.engine.keep_readers(
                [relation for relation in self._older if relation in self.readers]
            )
        yield
        self.engine.comment(step.output, step.how, mark(self.number, self.what))

    def retire(self) -> None:
        """Drop what the older release had and the new one has not, and what attacks found in it."""
        older = [one for one in self._older or () if one not in self.relations]
        kept = [self.relations[0].sibling(name) for name in ATTACKS]
        older += AttackOwnership(self.engine, kept).older_of_ours()
        for relation, there in self.engine.standing(older).items():
            self.engine.retire(relation, there.kind)

    def older(self, hold: bool = False) -> list[Relation]:
        """The relations of the older release that is replaced.

        Args:
            hold: whether nobody else may replace them until the transaction ends.

        Raises:
            SpecError: if a relation that is to be written is there and of no release of ours.
        """
        seen = self._comments(self._reserved)  # before anything is waited for
        there = self._comments(self._reserved, hold=True) if hold else seen
        ours = self._ours(there)
        foreign = [one for one in there if one in self.relations and one not in ours]
        if foreign and not hold:
            with self.engine.listing_once():  # which looks afresh
                again = self._comments(self._reserved)
            if again != seen:
                return self.older()  # another run published while this looked
        for relation in foreign:
            marked = re.fullmatch(mark("[0-9a-f]{32}", self.what), seen.get(relation) or "")
            if hold and marked:  # it was a release of ours when it was looked at before
                raise SpecError(Problem("release", _MEANWHILE.format(relation)))
            article = f"exists and is no {self.what} of sqlanon's"
            cure = "choose another name for the release, or drop it yourself"
            what = f"a relation {str(relation)!r} {article} (it bears no mark of one): {cure}"
            raise SpecError(Problem("release", what))
        return ours

    def holds(self) -> bool:
        """Whether the release is there, marked, and recorded by the run that made it."""
        release = self.relations[0]
        return release in self._ours(self._comments([release, release.sibling("run")]))

    def _comments(
        self, relations: Sequence[Relation], hold: bool = False
    ) -> dict[Relation, str | None]:
        """The comments on those of some relations that exist."""
        standing = self.engine.standing(relations, hold)
        return {relation: there.comment for relation, there in standing.items()}

    @property
    def _reserved(self) -> Sequence[Relation]:
        return reserved(self.relations[0])

    def _ours(self, comments: Mapping[Relation, str | None]) -> list[Relation]:
        """Those that are marked, and recorded in a run relation that has the same mark."""
        run = self.relations[0].sibling("run")
        found = re.fullmatch(mark("([0-9a-f]{32})"), comments.get(run) or "")
        recorded = self._recorded(run) if found else {}
        if not found or recorded.get(ID) != found[1]:
            return []
        names = _names(recorded.get(RELATIONS, ""))
        marked = [relation for relation, comment in comments.items() if comment == found[0]]
        return [relation for relation in marked if relation.name.lower() in names]

    def _recorded(self, run: Relation) -> dict[str, str]:
        _refuse(self.engine.lacking_to_read(run))
        name = quoted(self.engine.qualified(run), self.engine.dialect)
        if [column.name for column in self.engine.columns(name)] != ["item", "value"]:
            return {}
        wanted = ", ".join(map(literal, (ID, RELATIONS)))
        name = self.engine.named(run)
        found = self.engine.fetch_portable(
            f"select item, value from {name} where item in ({wanted})", 2
        )
        return dict(found.rows)


def _refuse(lacking: Sequence[str]) -> None:
    if lacking:
        raise SpecError([Problem("release", why) for why in lacking])


def _names(text: str) -> set[str]:
    try:
        return {str(name).lower() for name in json.loads(text)}
    except (ValueError, TypeError):
        return set()


class SweepOwnership(Ownership):
    """Answers for the one relation that a sweep writes, which has no run relation."""

    what = "sweep"

    @property
    def _reserved(self) -> Sequence[Relation]:
        return self.relations

    def _ours(self, comments: Mapping[Relation, str | None]) -> list[Relation]:
        form = mark("[0-9a-f]{32}", self.what)
        return [
            relation for relation, comment in comments.items() if re.fullmatch(form, comment or "")
        ]

    def older_of_ours(self, hold: bool = True) -> list[Relation]:
        """Those relations that such a command wrote; one that bears no mark of it is left out.

        Args:
            hold: whether nobody else may replace them until the transaction ends.
        """
        return self._ours(self._comments(self.relations, hold))


class AttackOwnership(SweepOwnership):
    """Answers for what an attack keeps for the publisher next to the release."""

    what = "attack"
