"""The first stage of every draft: looking at the columns of the source."""

from __future__ import annotations

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
from sqlanon.source.source import RECORDS, SIZE
from sqlanon.source.transforms import without_noise


def looked(draft: Draft, by_spec: bool = True) -> Draft:
    """The attributes are known with their domains, and what insensitive columns give away.

    Args:
        draft: the draft.
        by_spec: whether the quasi-identifiers are those of the spec, and not cells that nobody
            can read.
    """
    spec, columns, short = draft.spec, draft.columns, draft.short
    person = draft.person
    if by_spec:
        quasi_identifiers, steps = quasi_attributes(spec, columns, short, others=draft.others)
        draft = draft.adding(Phase.LOOKING, *steps)
        draft = replace(draft, quasi_identifiers=tuple(quasi_identifiers))
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
