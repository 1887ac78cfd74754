"""A series in a plan: earlier releases say what must hold, and it keeps the same for later ones."""

from __future__ import annotations

from dataclasses import replace

from sqlanon.clauses.series.companions import Follows, follows
from sqlanon.clauses.series.earlier import earlier_releases, other_releases
from sqlanon.clauses.series.gate import gate_steps, told
from sqlanon.clauses.series.linked import links_of
from sqlanon.clauses.series.reuse import Continued
from sqlanon.draft import Draft, Stages
from sqlanon.plan import Check, Phase, Step


def looked(draft: Draft) -> Draft:
    """The draft with what earlier releases kept, and the checks that hold that to what it was.

    Raises:
        SpecError: if one of them cannot be followed.
    """
    spec, release, engine = draft.spec, draft.release, draft.engine
    assert release is not None  # noqa: S101 - a release on trial is refused
    earlier = earlier_releases(spec, release, draft.read, engine)
    others = other_releases(spec, release, draft.read, earlier, engine)
    found = follows(draft, earlier, others, links_of(spec, earlier, engine))
    draft = replace(draft, known={**draft.known, "series": found})
    return draft.adding(Phase.LOOKING, *found.checks)


def _follows(draft: Draft) -> Follows:
    found: Follows = draft.known["series"]
    return found


def forming(draft: Draft) -> Continued | None:
    """Classes that go on, where there is an earlier release whose classes do."""
    found = _follows(draft)
    return Continued(found) if found.reuses and found.earlier else None


def gate(draft: Draft) -> list[Step | Check]:
    """The steps that keep what later releases need, and refuse what intersecting would tell."""
    assert draft.publication is not None  # noqa: S101 - stages before
    assert draft.release is not None  # noqa: S101 - a release on trial is refused
    return gate_steps(_follows(draft), draft.publication.view, draft.release)


STAGES = Stages(look=looked, forming=forming, gate=gate, told=told)
