"""The first stages of every draft: counting the source, and looking at its columns."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from sqlanon.draft.draft import Draft
from sqlanon.measure import share_steps
from sqlanon.plan import Check, Phase, Step
from sqlanon.source.attributes import (
    quasi_attributes,
    released_as_they_are,
    sensitive_attributes,
)
from sqlanon.source.persons import ONE_RECORD, PERSON_SIZE, one_record_step
from sqlanon.source.population import people_of, values_of
from sqlanon.source.source import COUNTING, RECORDS, SIZE
from sqlanon.source.transforms import without_noise
from sqlanon.sql import Relation


def begun(draft: Draft) -> Draft:
    """The source is counted, and the population is known.

    Raises:
        SpecError: if the population is not as the spec says.
    """
    written = draft.written
    people = people_of(draft.spec, draft.columns, draft.short, draft.engine, written)
    return replace(draft, people=people).adding(Phase.READING, COUNTING)


def looked(
    draft: Draft, values: Mapping[str, Relation] | None = None, by_spec: bool = True
) -> Draft:
    """The attributes are known with their domains, and what insensitive columns give away.

    Args:
        draft: the draft.
        values: by alias of a quasi-identifier, values that its domain has as well.
        by_spec: whether the quasi-identifiers are those of the spec, and not cells that nobody
            can read.
    """
    spec, columns, short = draft.spec, draft.columns, draft.short
    person, people = draft.person, draft.people
    if by_spec:
        others = values_of(people, spec, short) | dict(values or {})
        quasi_identifiers, steps = quasi_attributes(spec, columns, short, others=others)
        reading = () if people is None else people.reading
        draft = draft.adding(Phase.READING, *reading).adding(Phase.LOOKING, *steps)
        draft = replace(draft, quasi_identifiers=tuple(quasi_identifiers))
    if people is not None:
        counted, counting = people.counted(draft.quasi_identifiers)
        draft = replace(draft, population=counted).adding(Phase.FORMING, *counting)
    sensitive, steps = sensitive_attributes(spec, columns, short, person)
    insensitive = tuple(released_as_they_are(spec, columns, short))
    draft = draft.adding(Phase.LOOKING, *steps)
    draft = replace(draft, sensitive=tuple(sensitive), insensitive=insensitive)
    if person and (insensitive or sensitive):
        limited = without_noise(spec, insensitive)
        read = [one.alias for some in (draft.quasi_identifiers, limited, sensitive) for one in some]
        read += [one.alias for one in insensitive]
        once = one_record_step(person, list(dict.fromkeys(read)))
        draft = draft.adding(Phase.LOOKING, once)
    return _shared(draft)


def _shared(draft: Draft) -> Draft:
    """The draft with steps that find what its insensitive columns say of single records."""
    spec = draft.spec
    attributes = [*draft.quasi_identifiers, *(draft.sensitive if spec.shows_exact else ())]
    if not draft.insensitive or not attributes:
        return draft
    limited, k = without_noise(spec, draft.insensitive), spec.privacy.k
    shares: list[Step] = []
    if draft.person:
        once, made = quasi_attributes(spec, draft.columns, draft.short, ONE_RECORD, "one_")
        draft = draft.adding(Phase.LOOKING, *made)
        shares = share_steps(limited, once, ONE_RECORD, PERSON_SIZE, k)
    else:
        shares = share_steps(limited, attributes, RECORDS, SIZE, k)
    return with_shares(draft, *shares)


def with_shares(draft: Draft, *steps: Step | Check) -> Draft:
    """The draft with steps that find, or limit, what insensitive columns say."""
    shared = replace(draft, shares=(*draft.shares, *steps))
    return shared.adding(Phase.LOOKING, *steps)
