"""Publications: what is shown of the classes, and what a reader can tie together of it."""

from sqlanon.common.registry import Registry
from sqlanon.publish.counts import Counts
from sqlanon.publish.generalized import Generalized
from sqlanon.publish.groups import Anatomy, OfGroups, Permuted
from sqlanon.publish.publication import Publisher
from sqlanon.spec import Spec

# A spec that names none means the first.
OWN: tuple[Publisher, ...] = (Generalized(), Anatomy(), Permuted(), Counts())
# These, and those of clauses, which are defined above this package.
PUBLICATIONS = Registry[Publisher]("publications")


def publisher_of(spec: Spec) -> Publisher:
    """The publication that a spec asks for, with what it says of it."""
    return PUBLICATIONS[spec.publication].asked(spec)


def groups_of(spec: Spec) -> OfGroups | None:
    """How groups tie what is published together; None where each row says all that is known."""
    publisher = publisher_of(spec)
    return publisher if isinstance(publisher, OfGroups) else None
