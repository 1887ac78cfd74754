"""Publications: what is shown of the classes, and what a reader can tie together of it."""

from sqlanon.publish.counts import Counts
from sqlanon.publish.generalized import Generalized
from sqlanon.publish.groups import Anatomy, Permuted
from sqlanon.publish.publication import Publisher
from sqlanon.registry import Registry
from sqlanon.spec import Spec

# A spec that names none means the first.
OWN: tuple[Publisher, ...] = (Generalized(), Anatomy(), Permuted(), Counts())
# These, and those of clauses, which are defined above this package.
PUBLICATIONS = Registry[Publisher]("publications")


def publisher_of(spec: Spec) -> Publisher:
    """The publication that a spec asks for, with what it says of it."""
    return PUBLICATIONS[spec.publication].asked(spec)
